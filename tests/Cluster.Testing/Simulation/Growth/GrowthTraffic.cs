namespace Cluster.Testing.Simulation.Growth;

/// <summary>What one node has sent and received to control the cluster, in bytes. Used by one thread.</summary>
public sealed class GrowthTraffic
{
    /// <summary>The bytes of one small call of the store, request and answer together with their HTTP
    /// headers.</summary>
    public const int StoreCallBytes = 600;

    /// <summary>How many bytes of a store's answer a byte of the table takes: base64 and JSON.</summary>
    public const double StoreExpansion = 1.37;

    /// <summary>Beacons, answers to them, and reports.</summary>
    public long Beacons { get; set; }

    /// <summary>Wishes, hints and questions of members.</summary>
    public long Proposals { get; set; }

    /// <summary>Changes of the table that nodes tell each other.</summary>
    public long Deltas { get; set; }

    /// <summary>What travels between the node and the store.</summary>
    public long Store { get; set; }

    /// <summary>All of it.</summary>
    public long Total => Beacons + Proposals + Deltas + Store;

    /// <summary>Forgets what was counted.</summary>
    public void Clear() => (Beacons, Proposals, Deltas, Store) = (0, 0, 0, 0);
}
