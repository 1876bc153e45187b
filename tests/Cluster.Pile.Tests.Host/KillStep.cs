namespace Cluster.Pile.Tests.Host;

/// <summary>What a line of the log of the kill loop says.</summary>
public enum KillStep
{
    /// <summary>A put, an update or a delete begins.</summary>
    Begin = 1,

    /// <summary>The object is stored: new, or changed.</summary>
    Stored = 2,

    /// <summary>The object is deleted.</summary>
    Deleted = 3,

    /// <summary>There was no room, and nothing has changed.</summary>
    Refused = 4,
}
