using System.Collections.Concurrent;
using Cluster.Contracts;
using Cluster.Nodes.Coordination;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Members;
using Cluster.Nodes.Routing;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Status;

/// <summary>
/// How many entries each partition held when its owner was asked last, so that a loss can be counted after its node is
/// gone. The coordinator and clients, who are few, ask every node each second. Any other node may have to coordinate
/// next: it asks a few nodes each second, in turn. Safe for concurrent use.
/// </summary>
internal sealed class NodeStatusBoard : IAsyncDisposable
{
    private static readonly LoopPace Pace = new(
        TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(8));

    /// <summary>How many nodes are asked in a second by a node that does not coordinate.</summary>
    public const int QuestionsPerSecondMax = 16;

    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(2);

    private readonly ConcurrentDictionary<PartitionId, long> _counts = new();
    private readonly ITableView _view;
    private readonly PeerDirectory _peers;
    private readonly CurrentMemberRole _duties;
    private readonly TimeProvider _time;
    private readonly BackgroundLoop _loop;
    private long _entriesLost;
    private int _turn;

    public NodeStatusBoard(
        ITableView view, PeerDirectory peers, CurrentMemberRole duties, LoopSurroundings surroundings)
    {
        _duties = duties;
        _view = view;
        _peers = peers;
        _time = surroundings.Time;
        _loop = new BackgroundLoop("Asking nodes for their status", Pace, surroundings, StepAsync);
    }

    /// <summary>What this node's clock shows.</summary>
    public DateTimeOffset UtcNow => _time.GetUtcNow();

    /// <summary>How many entries each partition held when it was counted last, whoever owned it then.</summary>
    public IReadOnlyDictionary<PartitionId, long> LastCounts => _counts;

    /// <summary>Entries known to have been lost so far.</summary>
    public long EntriesLost => Interlocked.Read(ref _entriesLost);

    public void Start() => _loop.Start();

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    /// <summary>Notes that partitions have begun again empty.</summary>
    /// <param name="partitions">The partitions.</param>
    /// <param name="entries">How many entries were lost with them, or null when nobody knows.</param>
    public void NoteLoss(IEnumerable<PartitionId> partitions, long? entries)
    {
        foreach (var partition in partitions)
            _counts[partition] = 0;
        Interlocked.Add(ref _entriesLost, entries ?? 0);
    }

    private async ValueTask StepAsync(CancellationToken cancellationToken)
    {
        ClusterMember[] members = [.. _view.Current.Members.Where(member => member.State != MemberState.Gone)];
        var isWatcher = _view.Self is null || _duties.Current is { Coordinator.IsCoordinator: true };
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
            // A node that does not answer is the death examiner's business; its last counts stay.
        }
    }

    private void Note(NodeStatus status)
    {
        var count = _view.Current.Partitions.Length;
        foreach (var (partition, entries) in status.Partitions.Zip(status.PartitionEntries))
        {
            if (partition >= 0 && partition < count)
                _counts[new PartitionId(partition)] = entries;
        }
    }
}
