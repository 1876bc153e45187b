using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Logs;

/// <summary>One entry of a partition's log: what became of a record, not how. Immutable; its memory belongs to the
/// log.</summary>
internal readonly record struct LogEntry(EntryId Id, EntryKind Kind, StateKey Key)
{
    /// <summary>The partition time of the primary when it wrote the entry, in ticks of UTC.</summary>
    public long Time { get; init; }

    /// <summary>When the record expires, in the form of <see cref="LifeEnd"/>.</summary>
    public long Expiry { get; init; }

    /// <summary>The version of the record that a touch leaves as it is.</summary>
    public EntryId Version { get; init; }

    /// <summary>The request that caused the entry; null where the primary itself did.</summary>
    public RequestId? Request { get; init; }

    /// <summary>Whether an operation of the user computed the value.</summary>
    public bool IsOperation { get; init; }

    /// <summary>Whether the value is part of the entry.</summary>
    public bool HasValue { get; init; }

    public ReadOnlyMemory<byte> Value { get; init; }

    /// <summary>The answer to the request.</summary>
    public ReadOnlyMemory<byte> Result { get; init; }

    /// <summary>Whether the entry removes the record.</summary>
    public bool Removes => Kind is EntryKind.Remove or EntryKind.Expire;
}
