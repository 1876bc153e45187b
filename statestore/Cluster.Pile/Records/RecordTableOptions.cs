namespace Cluster.Pile.Records;

/// <summary>What a table of records is. An immutable value; <c>default</c> is a durable table without a
/// limit.</summary>
internal sealed record RecordTableOptions
{
    /// <summary>What it is called; with the kind unique in a pile. Empty for one that nobody looks for.</summary>
    public string Name { get; init; } = "";

    /// <summary>Who uses it.</summary>
    public RecordTableKind Kind { get; init; }

    /// <summary>How its keys are bytes; a table that is found again must have the same.</summary>
    public string KeyForm { get; init; } = "";

    /// <summary>What its values are; a table that is found again must have the same.</summary>
    public string ValueForm { get; init; } = "";

    /// <summary>Whether it evicts records when there is no room for others; else it refuses.</summary>
    public bool MayForget { get; init; }

    /// <summary>Down to how many bytes of log it gives memory up to the rest of the pile.</summary>
    public long FloorBytes { get; init; }

    /// <summary>How many bytes of the pile it may take, index included.</summary>
    public long LimitBytes { get; init; } = long.MaxValue;

    /// <summary>Down to how many records it gives memory up to the rest of the pile.</summary>
    public long FloorRecords { get; init; }

    /// <summary>How many records it may have.</summary>
    public long LimitRecords { get; init; } = long.MaxValue;

    /// <summary>How long records live where a put does not say otherwise; only kept here, for its user.</summary>
    public TimeSpan? MaxAge { get; init; }

    /// <summary>How long records live after a read; only kept here, for its user.</summary>
    public TimeSpan? SlidingExpiration { get; init; }

    /// <summary>Whether all records know their age; only kept here, for its user.</summary>
    public bool TracksAge { get; init; }
}
