using System.Diagnostics.Metrics;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Watching;

/// <summary>The meter <c>Cluster.Nodes</c> of one host. Instruments are made once and protect themselves.</summary>
internal sealed class NodeMetrics : IDisposable
{
    public const string MeterName = "Cluster.Nodes";

    private readonly Meter _meter;
    private readonly Counter<long> _moved;
    private readonly Counter<long> _lost;
    private readonly Counter<long> _entriesLost;
    private readonly Counter<long> _outages;
    private readonly Counter<long> _deltas;
    private readonly Counter<long> _wholeTables;

    public NodeMetrics(IMeterFactory meters, ITableView view)
    {
        _meter = meters.Create(MeterName);
        _moved = _meter.CreateCounter<long>("cluster.partitions.moved", "{partition}",
            "Partitions that changed owner with all entries");
        _lost = _meter.CreateCounter<long>("cluster.partitions.lost", "{partition}",
            "Partitions that began again empty");
        _entriesLost = _meter.CreateCounter<long>("cluster.entries.lost", "{entry}",
            "Entries in lost partitions, as last reported");
        _outages = _meter.CreateCounter<long>("cluster.store.outages", "{outage}",
            "Times the cluster store stopped answering");
        _deltas = _meter.CreateCounter<long>("cluster.table.deltas", "{table}",
            "Tables that other nodes told as changes");
        _wholeTables = _meter.CreateCounter<long>("cluster.table.reads", "{table}",
            "Whole tables that were read from the cluster store");
        _meter.CreateObservableGauge(
            "cluster.partitions.owned", () => CountOwned(view),
            "{partition}", "Partitions that the table gives to this node");
        _meter.CreateObservableGauge(
            "cluster.partitions.underreplicated", () => view.Current.CountUnderReplicated(),
            "{partition}", "Partitions with fewer copies than their states ask for");
    }

    public void Count(ClusterEvent happened)
    {
        if (happened.Kind == ClusterEventKind.PartitionsMoved)
            _moved.Add(happened.PartitionCount);
        if (happened.Kind == ClusterEventKind.StoreUnreachable)
            _outages.Add(1);
        if (happened.Kind != ClusterEventKind.PartitionsLost)
            return;
        _lost.Add(happened.PartitionCount);
        _entriesLost.Add(happened.EntriesLost ?? 0);
    }

    /// <summary>Counts a table that this process has got to know.</summary>
    public void CountTable(bool isDelta) => (isDelta ? _deltas : _wholeTables).Add(1);

    public void Dispose() => _meter.Dispose();

    private static int CountOwned(ITableView view)
    {
        var table = view.Current;
        var slot = view.Self is { } self ? table.FindMember(self)?.Slot : null;
        return slot is null ? 0 : table.Partitions.Count(entry => entry.Primary == slot);
    }
}
