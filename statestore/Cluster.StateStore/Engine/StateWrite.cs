using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Engine;

/// <summary>One write that needs no user code: put, conditional put, removal, touch. Immutable.</summary>
/// <param name="Verb">Which of them.</param>
/// <param name="Key">The key.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Expiry">When the value goes away; never the default form.</param>
internal readonly record struct StateWrite(
    StateVerb Verb, HashedKey Key, PartitionId Partition, StateExpiry Expiry)
{
    /// <summary>The serialized value; empty where the write stores nothing.</summary>
    public ReadOnlyMemory<byte> Value { get; init; }

    public long ExpectedVersion { get; init; }

    /// <summary>The request, so that its repetition has no further effect; null: it is not repeated.</summary>
    public RequestId? Request { get; init; }

    /// <summary>The caller's right to store a loaded value; zero: it stores none.</summary>
    public long LoadToken { get; init; }

    /// <summary>How many nodes must have a copy.</summary>
    public int MinInSync { get; init; }

    /// <summary>Whether a touch names no expiry, so that a sliding one starts anew.</summary>
    public bool Renews { get; init; }
}
