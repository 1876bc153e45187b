namespace Cluster.Pile.Tables.Records;

/// <summary>The result of an operation on one record.</summary>
internal enum RecordStatus
{
    /// <summary>The key has no record.</summary>
    Missing = 0,

    /// <summary>The key has a record; the requested change, if any, was made.</summary>
    Found = 1,

    /// <summary>A record of a new key was stored.</summary>
    Inserted = 2,

    /// <summary>The record of an existing key got another value.</summary>
    Replaced = 3,

    /// <summary>Like <see cref="Inserted"/>, and records of a lower priority were evicted for it.</summary>
    Displaced = 8,

    /// <summary>The condition of the put was not met; nothing was changed.</summary>
    Kept = 4,

    /// <summary>The pile, or the table, has no room; nothing was changed.</summary>
    Full = 5,

    /// <summary>Key or value are longer than a record can have; nothing was changed.</summary>
    TooLarge = 6,

    /// <summary>The page of the index has to be split first; callers of the table never see this value.</summary>
    Crowded = 7,

    /// <summary>The table has reached its limit of records; callers of the table never see this value.</summary>
    Numerous = 9,
}
