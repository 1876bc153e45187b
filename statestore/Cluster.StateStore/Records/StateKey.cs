namespace Cluster.StateStore.Records;

/// <summary>A key of one state, ready to be looked up. Immutable; the array is never changed.</summary>
/// <param name="StateId">The state.</param>
/// <param name="Hash">The seeded hash of the bytes; its top bits chose the partition.</param>
/// <param name="Bytes">The canonical bytes.</param>
internal readonly record struct StateKey(uint StateId, ulong Hash, byte[] Bytes)
{
    /// <summary>The part of the key that the index keeps: the low half of the hash, which the choice of the partition
    /// does not use, mixed with the state, so that equal keys of different states do not collide.</summary>
    public uint Tag => (uint)Hash ^ (StateId * 0x9E37_79B1);
}
