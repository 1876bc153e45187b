namespace Cluster.Pile.Tables.Records;

/// <summary>The options of a table of records. An immutable value; <c>default</c> is a non-evicting table without a
/// limit.</summary>
internal sealed record RecordTableOptions
{
    /// <summary>The name, unique for each kind within a pile; empty for a table that is not looked up by
    /// name.</summary>
    public string Name { get; init; } = "";

    public RecordTableKind Kind { get; init; }

    /// <summary>How keys are encoded as bytes. A later request for the table must name the same form.</summary>
    public string KeyForm { get; init; } = "";

    /// <summary>The seed of the hash of keys when the owner of the table has chosen it; null: the pile's own
    /// hash.</summary>
    public ulong? HashSeed { get; init; }

    /// <summary>The form of the values. A later request for the table must name the same form.</summary>
    public string ValueForm { get; init; } = "";

    /// <summary>Whether the table evicts records when there is no room for others; otherwise it refuses new
    /// ones.</summary>
    public bool MayForget { get; init; }

    /// <summary>The table gives log memory up to the rest of the pile until this many bytes are left.</summary>
    public long FloorBytes { get; init; }

    /// <summary>The highest number of bytes of the pile, index included.</summary>
    public long LimitBytes { get; init; } = long.MaxValue;

    /// <summary>The table gives records up to the rest of the pile until this many are left.</summary>
    public long FloorRecords { get; init; }

    /// <summary>The highest number of records.</summary>
    public long LimitRecords { get; init; } = long.MaxValue;

    /// <summary>The life of records when a put names none; the record table only stores this value for its
    /// user.</summary>
    public TimeSpan? MaxAge { get; init; }

    /// <summary>The life of records after a read; the record table only stores this value for its user.</summary>
    public TimeSpan? SlidingExpiration { get; init; }

    /// <summary>Whether all records keep their age; the record table only stores this value for its user.</summary>
    public bool TracksAge { get; init; }
}

/// <summary>The user of a table of records. The numbers are part of the format of exported tables.</summary>
internal enum RecordTableKind
{
    Cache = 0,
    Cells = 1,
    Stamped = 2,
}
