namespace Cluster.Pile.Records;

/// <summary>How an operation on one record ended.</summary>
internal enum RecordStatus
{
    /// <summary>There is no such record.</summary>
    Missing = 0,

    /// <summary>It is there, and nothing was to be changed or it was.</summary>
    Found = 1,

    /// <summary>A record of a new key was stored.</summary>
    Inserted = 2,

    /// <summary>The record of a key got another value.</summary>
    Replaced = 3,

    /// <summary>Like <see cref="Inserted"/>, and records of a lower priority were evicted for it.</summary>
    Displaced = 8,

    /// <summary>The condition of the put was not met; nothing was changed.</summary>
    Kept = 4,

    /// <summary>The pile, or the table, has no room; nothing was changed.</summary>
    Full = 5,

    /// <summary>Key or value are longer than a record can have; nothing was changed.</summary>
    TooLarge = 6,

    /// <summary>The page of the index has to be split first; never leaves the store.</summary>
    Crowded = 7,

    /// <summary>The table has as many records as it may; never leaves the store.</summary>
    Numerous = 9,
}
