namespace Cluster.Nodes.Storage.Values;

/// <summary>What the memory of the nodes holds for one key of a stored state: a value, a removal, or the knowledge that
/// the storage has nothing, with what is known of the storage. Immutable; an operation replaces it whole.</summary>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
internal sealed class Stored<TValue>
{
    /// <summary>The value; the default for a removal.</summary>
    public TValue? Value { get; init; }

    /// <summary>Whether there is no value. A removal stays in memory until the storage has it.</summary>
    public bool IsRemoved { get; init; }

    /// <summary>Whether the storage may not have this revision yet.</summary>
    public bool IsDirty { get; init; }

    /// <summary>Numbers the writes of the key, in memory and in the storage. Zero: the storage has never had the
    /// key.</summary>
    public long Revision { get; init; }

    /// <summary>From which knowledge of the key this record has come.</summary>
    public Lineage Lineage { get; init; } = Lineage.Blind;

    /// <summary>Whether the record says only that the storage has no value.</summary>
    public bool IsMarker => IsRemoved && !IsDirty;

    /// <summary>The record of a value that was loaded.</summary>
    public static Stored<TValue> From(StorageRecord<TValue> record) =>
        new() { Value = record.Value, Revision = record.Revision, Lineage = Lineage.Loaded(record.Revision) };

    /// <summary>The record which says that the storage has no value.</summary>
    /// <param name="removal">The removal that the storage has; null: it has nothing.</param>
    public static Stored<TValue> Marker(StorageRecord<TValue>? removal)
    {
        var revision = removal?.Revision ?? 0;
        return new() { IsRemoved = true, Revision = revision, Lineage = Lineage.Loaded(revision) };
    }

    public StorageRecord<TValue> ToRecord() =>
        IsRemoved ? StorageRecord.Removed<TValue>(Revision) : new StorageRecord<TValue>(Value!, Revision);

    /// <summary>The same, of another revision or known to be stored.</summary>
    public Stored<TValue> With(long revision, bool isDirty) =>
        new() { Value = Value, IsRemoved = IsRemoved, IsDirty = isDirty, Revision = revision, Lineage = Lineage };
}
