using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>A write to one record. Immutable; the memory is read during the call alone.</summary>
/// <param name="Partition">The partition of the key.</param>
/// <param name="Kind">Put, remove or touch.</param>
/// <param name="Key">The key.</param>
internal readonly record struct WriteRequest(PartitionId Partition, EntryKind Kind, StateKey Key)
{
    public ReadOnlyMemory<byte> Value { get; init; }

    /// <summary>When the record expires, in the form of <see cref="LifeEnd"/>.</summary>
    public long Expiry { get; init; }

    /// <summary>Whether a touch starts the window of the record anew, if it has one; <see cref="Expiry"/> is for
    /// records without a window.</summary>
    public bool Renews { get; init; }

    /// <summary>The version that the record must have; zero: there must be none; null: any.</summary>
    public EntryId? Expected { get; init; }

    /// <summary>The request, so that its repetition has no further effect; null: it is not repeated.</summary>
    public RequestId? Request { get; init; }

    /// <summary>The caller's right to store a loaded value, which the shell has checked; zero: it stores
    /// none.</summary>
    public long LoadToken { get; init; }

    /// <summary>How many members must be in sync, so that the write is carried out.</summary>
    public int MinInSync { get; init; }

    /// <summary>Whether an operation of the user computed the value from the expected version. If the version is
    /// another one, the answer is <see cref="WriteOutcome.Conflict"/>, and nothing is remembered.</summary>
    public bool IsOperation { get; init; }

    /// <summary>What the operation of the user returned.</summary>
    public ReadOnlyMemory<byte> Result { get; init; }

    /// <summary>Whether the operation returned more than is remembered.</summary>
    public bool IsResultLeftOut { get; init; }
}
