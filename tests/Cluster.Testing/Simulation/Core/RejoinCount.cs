using Cluster.Testing.Simulation.Invariants;

namespace Cluster.Testing.Simulation.Core;

/// <summary>Counts how the nodes that live at the end of runs have got their copies. It judges nothing: it shows that
/// runs have met what they shall meet.</summary>
public sealed class RejoinCount : IInvariant
{
    private long _copies;
    private long _differences;
    private long _dropped;

    /// <summary>The copies that were received.</summary>
    public long Copies => Interlocked.Read(ref _copies);

    /// <summary>Those of them that were only a difference.</summary>
    public long Differences => Interlocked.Read(ref _differences);

    /// <summary>The bases that were dropped without use.</summary>
    public long Dropped => Interlocked.Read(ref _dropped);

    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        foreach (var counters in cluster.Nodes.Select(node => node.Program).OfType<CoreNode>().SelectMany(CountersOf))
        {
            Interlocked.Add(ref _copies, counters.CopiesReceived);
            Interlocked.Add(ref _differences, counters.DifferencesReceived);
            Interlocked.Add(ref _dropped, counters.BasesDropped);
        }
    }

    private static IEnumerable<StateStore.Protocol.Basics.ProtocolCounters> CountersOf(CoreNode program) =>
        program.Counters;
}
