namespace Cluster.SystemTests.Faults;

/// <summary>How a scenario starts its cluster. Immutable.</summary>
internal sealed record FaultSettings
{
    /// <summary>How many node processes run at the beginning.</summary>
    public int NodeCount { get; init; } = 3;

    /// <summary>How many further nodes the scenario may start; they have relays from the beginning.</summary>
    public int FurtherNodes { get; init; }

    /// <summary>How many Consul servers there are: one or three.</summary>
    public int ConsulServers { get; init; } = 1;

    /// <summary>Whether the table is in a folder instead of Consul.</summary>
    public bool UsesFolder { get; init; }

    /// <summary>Whether a node uses one Consul server alone, as a node uses the agent of its machine. Otherwise another
    /// server answers when that one is gone.</summary>
    public bool HasOwnAgents { get; init; }

    /// <summary>How many other nodes keep a copy.</summary>
    public int Backups { get; init; } = 1;

    /// <summary>How many partitions there are.</summary>
    public int PartitionCount { get; init; } = 256;

    /// <summary>Whether a refused liveness endpoint proves a death. Otherwise a backup waits for the grace.</summary>
    public bool HasProofOfDeath { get; init; } = true;

    /// <summary>How fast the clock of a node runs, in percent of true time, by the name of the node. A node without an
    /// entry uses the clock of the machine.</summary>
    public IReadOnlyDictionary<string, int> ClockRates { get; init; } = new Dictionary<string, int>();

    /// <summary>The folder in which each node has one for its memory; null: memory ends with the process.</summary>
    public string? MappedFolders { get; init; }

    /// <summary>Further settings of every node.</summary>
    public IReadOnlyList<string> NodeSettings { get; init; } = [];
}
