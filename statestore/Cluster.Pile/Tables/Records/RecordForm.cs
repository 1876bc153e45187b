namespace Cluster.Pile.Tables.Records;

/// <summary>How a put stores a record, without key and value. An immutable value; <c>default</c> is plain
/// bytes.</summary>
internal readonly record struct RecordForm
{
    public RecordKind Kind { get; init; }

    /// <summary>Records of a lower priority never evict those of a higher one.</summary>
    public byte Priority { get; init; }

    /// <summary>Whether the record keeps the time of the put, which a deadline and a question for its age
    /// need.</summary>
    public bool IsTimed { get; init; }

    /// <summary>The step of the clock of records at which the record expires; zero for none.</summary>
    public uint Deadline { get; init; }

    /// <summary>The condition under which the record is stored.</summary>
    public RecordCondition Condition { get; init; }

    /// <summary>The token for <see cref="RecordCondition.Unchanged"/>.</summary>
    public ulong Token { get; init; }
}
