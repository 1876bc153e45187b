namespace Cluster.Testing.Simulation.Stores;

/// <summary>The faults of a simulated store at the moment. Faults of one kind may overlap, so outages and cuts are
/// counted. Used by one thread.</summary>
public sealed class StoreConditions
{
    private readonly Dictionary<int, int> _cuts = [];

    /// <summary>How many faults take the store away from everybody.</summary>
    public int OutageCount { get; set; }

    /// <summary>How many faults make many outcomes of swaps unknown.</summary>
    public int UnknownCount { get; set; }

    /// <summary>How many faults make many reads stale.</summary>
    public int StaleCount { get; set; }

    /// <summary>How many faults make notifications late and lose most of them.</summary>
    public int SilenceCount { get; set; }

    /// <summary>How many faults show the data of another cluster in the place of the store.</summary>
    public int ForeignCount { get; set; }

    /// <summary>Returns whether an end point reaches the store.</summary>
    /// <param name="endpoint">The node's end point.</param>
    public bool CanReach(int endpoint) => OutageCount == 0 && _cuts.GetValueOrDefault(endpoint) == 0;

    /// <summary>Cuts a node from the store until as many heals follow.</summary>
    /// <param name="endpoint">The node's end point.</param>
    public void Cut(int endpoint) => _cuts[endpoint] = _cuts.GetValueOrDefault(endpoint) + 1;

    /// <summary>Takes one cut back.</summary>
    /// <param name="endpoint">The node's end point.</param>
    public void Heal(int endpoint) => _cuts[endpoint]--;
}
