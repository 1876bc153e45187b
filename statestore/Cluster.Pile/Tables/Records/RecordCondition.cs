namespace Cluster.Pile.Tables.Records;

/// <summary>The condition under which a put stores its record.</summary>
internal enum RecordCondition
{
    Always = 0,

    /// <summary>The key has no record, or its record has expired.</summary>
    Absent = 1,

    /// <summary>The key has a record.</summary>
    Present = 2,

    /// <summary>The key still has the record, with the same value, from which the token was read.</summary>
    Unchanged = 3,
}
