using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Hosting.States;

/// <summary>A key of one state, ready to be looked up. Immutable; the array is never changed.</summary>
/// <param name="StateId">The state.</param>
/// <param name="Hash">The seeded hash of the bytes; its top bits chose the partition.</param>
/// <param name="Bytes">The canonical bytes.</param>
internal readonly record struct HashedKey(uint StateId, ulong Hash, byte[] Bytes)
{
    /// <summary>The key without its hash.</summary>
    public StateKey Key => new(StateId, Bytes);
}
