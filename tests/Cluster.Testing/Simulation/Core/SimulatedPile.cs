using Cluster.Pile;
using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Storage;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Core;

/// <summary>The pile of all nodes of a simulated run, one table for each life. A thread simulates one run after the
/// other, so the next run of the thread disposes the pile.</summary>
internal sealed class SimulatedPile
{
    [ThreadStatic]
    private static LocalPile? _last;

    private readonly LocalPile _pile;

    public SimulatedPile()
    {
        _last?.Dispose();
        _pile = _last = new LocalPile(new PileOptions { BudgetBytes = 256 << 20 });
    }

    /// <summary>Returns the storage of a new life.</summary>
    public IRecords Open(SimulatedHost host, SimulatedRecords model)
    {
        var table = StampedTable.Open(_pile, new StampedTableOptions
        {
            Name = host.Node.ToString(),
            KeyForm = $"cluster {host.Meta.ClusterId:N}, {host.Meta.PartitionCount} partitions",
            HashSeed = host.Meta.HashSeed,
        });
        return new MirroredRecords(model, new PartitionHash(host.Meta), table);
    }
}
