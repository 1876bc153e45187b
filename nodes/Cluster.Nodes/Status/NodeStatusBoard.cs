using System.Collections.Concurrent;
using Cluster.Contracts;
using Cluster.Nodes.Lifecycle;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Routing;
using Cluster.StateStore.Client;
using Cluster.StateStore.Partitions;

namespace Cluster.Nodes.Status;

/// <summary>
/// What every active node last said about itself, so that a loss can be counted after the node is gone. Run by the
/// coordinator and by clients, who are few; other nodes do not poll. Safe for concurrent use.
/// </summary>
internal sealed class NodeStatusBoard : IAsyncDisposable
{
    private static readonly LoopPace Pace = new(
        TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(8));
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(2);

    private readonly ConcurrentDictionary<NodeId, NodeStatus> _statuses = new();
    private readonly ITableView _view;
    private readonly PeerDirectory _peers;
    private readonly MemberDutiesHolder _duties;
    private readonly TimeProvider _time;
    private readonly BackgroundLoop _loop;
    private long _entriesLost;

    public NodeStatusBoard(
        ITableView view, PeerDirectory peers, MemberDutiesHolder duties, LoopSurroundings surroundings)
    {
        _duties = duties;
        _view = view;
        _peers = peers;
        _time = surroundings.Time;
        _loop = new BackgroundLoop("Asking nodes for their status", Pace, surroundings, StepAsync);
    }

    /// <summary>Entries known to have been lost so far.</summary>
    internal long EntriesLost => Interlocked.Read(ref _entriesLost);

    /// <summary>What a node said of itself last, or null when it has not been asked yet.</summary>
    internal NodeStatus? LastReportOf(NodeId node) => _statuses.GetValueOrDefault(node);

    internal void Start() => _loop.Start();

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    /// <summary>
    /// How many entries were lost with partitions: what they held when their node last reported, or null when it
    /// never did.
    /// </summary>
    internal long? CountLoss(NodeId node, IEnumerable<PartitionId> partitions)
    {
        if (!_statuses.TryGetValue(node, out var status)) return null;
        var known = status.Partitions.Zip(status.PartitionEntries)
            .ToDictionary(pair => pair.First, pair => pair.Second);
        var lost = partitions.Sum(partition => known.GetValueOrDefault(partition.Value));
        Interlocked.Add(ref _entriesLost, lost);
        return lost;
    }

    private async ValueTask StepAsync(CancellationToken cancellation)
    {
        var isWatcher = _view.Self is null || _duties.Current is { Coordinator.IsCoordinator: true };
        if (!isWatcher) return;
        ClusterMember[] members = [.. _view.Current.Members.Where(member => member.State != MemberState.Gone)];
        Forget();
        await Task.WhenAll(members.Select(member => AskAsync(member, cancellation))).ConfigureAwait(false);
    }

    private async Task AskAsync(ClusterMember member, CancellationToken cancellation)
    {
        using var timeout = new CancellationTokenSource(AnswerTimeout, _time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellation);
        try
        {
            var status = await _peers.StatusOf(member).GetAsync(ended.Token).ConfigureAwait(false);
            if (status.Partitions.Length == status.PartitionEntries.Length) _statuses[member.Node] = status;
        }
        catch (Exception failure)
            when (failure is not OperationCanceledException || !cancellation.IsCancellationRequested)
        {
            // A node that does not answer is the death examiner's business; its last report stays.
        }
    }

    // Who is gone is kept until it has left the table, because its loss is counted after it has been marked.
    private void Forget()
    {
        var listed = _view.Current.Members.Select(member => member.Node).ToHashSet();
        foreach (var node in _statuses.Keys)
        {
            if (!listed.Contains(node)) _statuses.TryRemove(node, out _);
        }
    }
}
