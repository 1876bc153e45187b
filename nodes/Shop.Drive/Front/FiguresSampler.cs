using Cluster.Contracts;
using Cluster.Nodes;
using Cluster.Nodes.Status;
using Shop.Drive.Supervision;

namespace Shop.Drive.Front;

/// <summary>Collects the figures of nodes, cluster and load once a second and publishes them as one frozen object. One
/// loop of its owner samples, and any thread may read the newest figures. A private lock protects the answers of nodes,
/// which arrive on several threads.</summary>
internal sealed class FiguresSampler
{
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan StatusWaitMax = TimeSpan.FromMilliseconds(500);

    private readonly ICluster _cluster;
    private readonly NodeSupervisor _supervisor;
    private readonly EventRibbon _ribbon;
    private readonly LoadMeter _meter;
    private readonly TimeProvider _time;
    private readonly Lock _lock = new();
    private readonly Dictionary<string, NodeStatus> _statuses = [];
    private volatile ShopFigures _current;
    private double _gcPauseMaxMs;

    public FiguresSampler(
        ICluster cluster, NodeSupervisor supervisor, EventRibbon ribbon, LoadMeter meter, TimeProvider time)
    {
        _cluster = cluster;
        _supervisor = supervisor;
        _ribbon = ribbon;
        _meter = meter;
        _time = time;
        _current = Compose();
    }

    public ShopFigures Current => _current;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(Interval, _time);
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false))
                await SampleAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The run is over; the last figures stay readable.
        }
    }

    /// <summary>Takes one sample now. Must not run while <see cref="RunAsync"/> runs.</summary>
    public async Task<ShopFigures> SampleAsync()
    {
        var nodes = _cluster.Nodes.Where(static node => node.State == NodeState.Active);
        await Task.WhenAll(nodes.Select(AskAsync)).ConfigureAwait(false);
        _meter.Tick();
        return _current = Compose();
    }

    private async Task AskAsync(NodeDescription node)
    {
        using var bound = new CancellationTokenSource(StatusWaitMax, _time);
        try
        {
            var status = await _cluster.GetStatusAsync(node.Node, bound.Token).ConfigureAwait(false);
            lock (_lock)
            {
                _statuses[node.Node.Name] = status;
                _gcPauseMaxMs = Math.Max(_gcPauseMaxMs, status.GcPauseMax.TotalMilliseconds);
            }
        }
        catch (Exception failure) when (failure is GlueException or OperationCanceledException)
        {
            // The node is dead or busy. The next sample asks again, and the cluster table shows whether the node is
            // gone.
        }
    }

    private ShopFigures Compose()
    {
        var cluster = _cluster.Snapshot;
        ImmutableArray<NodeFigures> nodes = [.. _supervisor.Nodes.Select(node => ComposeNode(node, cluster))];
        var window = _meter.LastSecond;
        return new ShopFigures
        {
            Phase = _meter.Phase,
            Seconds = _meter.Elapsed.TotalSeconds,
            Nodes = nodes,
            PartitionOwners = OwnersOf(cluster, nodes),
            CallsPerSecond = _meter.CallsPerSecond,
            P50Ms = window.Latency.Percentile(0.5).TotalMilliseconds,
            P99Ms = window.Latency.Percentile(0.99).TotalMilliseconds,
            Calls = _meter.Total.Calls,
            Errors = _meter.Total.Errors,
            Unavailable = _meter.Total.Unavailable,
            Sessions = _meter.SessionCount,
            SessionsLost = _meter.SessionsLost,
            PileBytes = nodes.Sum(static node => node.PileBytes),
            GcPauseMaxMs = _gcPauseMaxMs,
            Killed = _supervisor.KilledCount,
            Events = _ribbon.Events,
        };
    }

    private NodeFigures ComposeNode(NodeProcess node, ClusterSnapshot cluster)
    {
        var member = node.IsRunning ? cluster.Nodes.LastOrDefault(known => known.Node.Name == node.Name) : null;
        NodeStatus? status;
        lock (_lock)
            status = member is null ? null : _statuses.GetValueOrDefault(node.Name);

        // The stored status may come from an earlier process of the node; its figures must not be shown for this one.
        var isCurrent = status is not null && status.Incarnation == member!.Node.Incarnation;
        return new NodeFigures(
            node.Name,
            node.Id,
            member?.Address ?? "",
            StateOf(node, member),
            member is null ? 0 : cluster.Partitions.Count(partition => partition.Owner == member),
            isCurrent ? status!.StateEntries.Sum() : 0,
            isCurrent ? status!.PileBytes : 0,
            isCurrent ? status!.PileBudgetBytes : 0,
            isCurrent ? status!.GcPauseMax.TotalMilliseconds : 0);
    }

    private static string StateOf(NodeProcess node, NodeDescription? member)
    {
        if (!node.IsRunning)
            return NodeFigures.StateEnded;

        return member is null ? NodeFigures.StateStarting : $"{member.State}".ToLowerInvariant();
    }

    private static ImmutableArray<int> OwnersOf(ClusterSnapshot cluster, ImmutableArray<NodeFigures> nodes)
    {
        var indexOf = nodes.Select(static (node, index) => (node.Name, index))
            .ToDictionary(static pair => pair.Name, static pair => pair.index);
        return [.. cluster.Partitions.Select(partition =>
            partition.Owner is { } owner ? indexOf.GetValueOrDefault(owner.Node.Name, -1) : -1)];
    }
}
