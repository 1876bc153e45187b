using Cluster.Nodes.Loops;
using Cluster.Nodes.Members;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Status;

/// <summary>Asks nodes for their status and keeps the counts of their partitions. The coordinator and the clients,
/// which are few, ask every node each second. Any other node may have to coordinate next: it asks a few nodes each
/// second, in turn. Only its own loop uses its fields.</summary>
internal sealed class NodeStatusBoard : IAsyncDisposable
{
    private static readonly LoopPace Pace = new(
        TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(8));

    /// <summary>How many nodes a node that does not coordinate asks in a second.</summary>
    public const int QuestionsPerSecondMax = 16;

    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(2);

    private readonly PartitionCounts _counts;
    private readonly ITableView _view;
    private readonly PeerDirectory _peers;
    private readonly CurrentMemberRole _role;
    private readonly TimeProvider _time;
    private readonly BackgroundLoop _loop;
    private int _turn;

    public NodeStatusBoard(
        ITableView view, PeerDirectory peers, CurrentMemberRole role, PartitionCounts counts,
        LoopContext loops)
    {
        _role = role;
        _counts = counts;
        _view = view;
        _peers = peers;
        _time = loops.Time;
        _loop = new BackgroundLoop("Asking nodes for their status", Pace, loops, StepAsync);
    }

    public void Start() => _loop.Start();

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async ValueTask StepAsync(CancellationToken cancellationToken)
    {
        ClusterMember[] members = [.. _view.Current.Members.Where(member => member.State != MemberState.Gone)];
        var isWatcher = _view.Self is null || _role.Current is { Lease.IsHeld: true };
        if (!isWatcher)
            members = TakeTurn(members);
        await Task.WhenAll(members.Select(member => AskAsync(member, cancellationToken))).ConfigureAwait(false);
    }

    private ClusterMember[] TakeTurn(ClusterMember[] members)
    {
        if (members.Length <= QuestionsPerSecondMax)
            return members;
        var first = _turn % members.Length;
        _turn = first + QuestionsPerSecondMax;
        return [.. members.Concat(members).Skip(first).Take(QuestionsPerSecondMax)];
    }

    private async Task AskAsync(ClusterMember member, CancellationToken cancellationToken)
    {
        using var timeout = new CancellationTokenSource(AnswerTimeout, _time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            var status = await _peers.StatusOf(member).GetAsync(ended.Token).ConfigureAwait(false);
            if (status.Partitions.Length == status.PartitionEntries.Length)
                Note(status);
        }
        catch (Exception failure)
            when (failure is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // The failure detector decides about a node that does not answer. Its last counts stay.
        }
    }

    private void Note(NodeStatus status)
    {
        var count = _view.Current.Partitions.Length;
        foreach (var (partition, entries) in status.Partitions.Zip(status.PartitionEntries))
        {
            if (partition >= 0 && partition < count)
                _counts.Set(new PartitionId(partition), entries);
        }
    }
}
