namespace Cluster.Pile.Records;

/// <summary>When a put stores its record.</summary>
internal enum RecordCondition
{
    Always = 0,

    /// <summary>Only when the key is not there, or its record has passed its deadline.</summary>
    Absent = 1,

    /// <summary>Only when the key is there.</summary>
    Present = 2,

    /// <summary>Only when the record is still the one, and has the value, that the token was read from.</summary>
    Unchanged = 3,
}
