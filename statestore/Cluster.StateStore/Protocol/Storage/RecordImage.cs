using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>One record as it is read or copied. The memory is valid until the records of its partition change, or until
/// the frame that carries it was handled.</summary>
/// <param name="Key">The key.</param>
/// <param name="Version">The entry that set the value.</param>
/// <param name="Expiry">When the record expires, in the form of <see cref="LifeEnd"/>.</param>
/// <param name="Value">The value.</param>
internal readonly record struct RecordImage(StateKey Key, EntryId Version, long Expiry, ReadOnlyMemory<byte> Value)
{
    /// <summary>Whether the life of the record is over at a partition time.</summary>
    public bool IsOver(long time) => LifeEnd.IsOver(Expiry, time);
}
