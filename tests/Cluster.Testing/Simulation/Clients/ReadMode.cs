namespace Cluster.Testing.Simulation.Clients;

/// <summary>How new the answers must be that the clients of a run get.</summary>
public enum ReadMode
{
    /// <summary>The owner answers with the newest value, as long as its lease lasts.</summary>
    Linearizable,

    /// <summary>The owner answers with the newest value when all backups have confirmed it.</summary>
    Strict,

    /// <summary>Any member answers with a value that is at most a second old.</summary>
    Stale,
}
