namespace Cluster.StateStore.Hosting.Tables;

/// <summary>How far a member is in its life. Only an active member is given partitions.</summary>
public enum MemberState
{
    /// <summary>Registered, not yet ready to own anything.</summary>
    Joining,

    /// <summary>Takes part.</summary>
    Active,

    /// <summary>Hands its partitions over and takes no new ones.</summary>
    Draining,

    /// <summary>Left, or proven dead. The entry stays until no partition names its slot.</summary>
    Gone,
}
