using Cluster.Nodes.Coordination;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Proposals;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Handoff;

/// <summary>Hands partitions of this node over to the targets that the table names, some at a time. All it needs to
/// know stands in the table and in the state store, so a round that broke off anywhere is simply continued by the next
/// one. Owned by the lifecycle; its own loop alone works.</summary>
/// <remarks>
/// Between the seal and the outcome of the take-over nobody answers for these partitions; nothing is acknowledged
/// that the target does not have.
/// <list type="number">
/// <item>Seal: no reads and no writes from here on.</item>
/// <item>Send the records; the target keeps them aside.</item>
/// <item>T3: the target is in sync. From here losing this node costs nothing.</item>
/// <item>T1: the target takes this node's place. The records are freed once the table no longer lists this
/// node.</item>
/// </list>
/// A partition whose target disappears before step 3 is served again, after a consistent read has shown that it is
/// still ours.
/// </remarks>
internal sealed partial class HandoffSender : IAsyncDisposable
{
    /// <summary>How many partitions are sealed together: few enough to keep their downtime short, enough to share two
    /// table changes.</summary>
    public const int BatchCountMax = 32;

    private static readonly TimeSpan IdleWait = TimeSpan.FromSeconds(1);
    private static readonly LoopPace Pace = new(
        TimeSpan.FromMilliseconds(5), TimeSpan.FromMilliseconds(200), TimeSpan.FromSeconds(5));

    private readonly NodeStateStore _store;
    private readonly IStatePeerDirectory _peers;
    private readonly TableProposer _proposer;
    private readonly ConfirmedTable _table;
    private readonly LoopContext _loops;
    private readonly BackgroundLoop _loop;

    public HandoffSender(
        NodeStateStore store, IStatePeerDirectory peers, TableProposer proposer, ConfirmedTable table,
        LoopContext loops)
    {
        _store = store;
        _peers = peers;
        _proposer = proposer;
        _table = table;
        _loops = loops;
        _loop = new BackgroundLoop("Handing partitions over", Pace, loops, StepAsync);
    }

    private TableView View => _table.View;

    public string? Failure => _loop.Failure;

    public void Start() => _loop.Start();

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async ValueTask StepAsync(CancellationToken cancellationToken)
    {
        var table = View.Current;
        if (table.FindMember(View.Self!.Value) is not { } member
            || !await WorkAsync(table, member.Slot, cancellationToken).ConfigureAwait(false))
        {
            await WaitAsync(table.Version, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Does one round. Returns whether there was work.</summary>
    private async ValueTask<bool> WorkAsync(ClusterTable table, NodeSlot self, CancellationToken cancellationToken)
    {
        var work = HandoffWork.Find(table, self, _store, BatchCountMax);
        if (work.IsEmpty)
            return false;
        await TakeBackAsync(work.Returning, self, cancellationToken).ConfigureAwait(false);
        if (!work.Leaving.IsEmpty)
        {
            var sent = await SendAsync(work.Leaving, table, cancellationToken).ConfigureAwait(false);
            await TakeBackAsync(
                [.. work.Leaving.Keys.Except(sent.Keys)], self, cancellationToken).ConfigureAwait(false);
            if (sent.IsEmpty)
                throw new HandoffStalledException(work.Leaving.Count);
            await ProposeAsync(
                current => HandoffChanges.Join(current, self, sent), cancellationToken).ConfigureAwait(false);
        }

        var copied = HandoffWork.Find(View.Current, self, _store, BatchCountMax).Copied;
        if (!copied.IsEmpty)
        {
            await ProposeAsync(current => HandoffChanges.TakeOver(current, self, copied), cancellationToken)
                .ConfigureAwait(false);
        }

        return true;
    }

    private async ValueTask<ImmutableDictionary<PartitionId, NodeSlot>> SendAsync(
        ImmutableDictionary<PartitionId, NodeSlot> leaving, ClusterTable table, CancellationToken cancellationToken)
    {
        var sent = await Task.WhenAll(leaving.Select(async move =>
        {
            var target = table.FindMember(move.Value);
            return target is not null && await TrySendAsync(move.Key, target, cancellationToken).ConfigureAwait(false);
        })).ConfigureAwait(false);
        return leaving.Zip(sent).Where(pair => pair.Second).Select(pair => pair.First).ToImmutableDictionary();
    }

    private async Task<bool> TrySendAsync(
        PartitionId partition, ClusterMember target, CancellationToken cancellationToken)
    {
        try
        {
            await _store.SealAsync(partition, cancellationToken).ConfigureAwait(false);
            await _store.SendAsync(partition, _peers.PeerOf(target), cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception failure) when (!cancellationToken.IsCancellationRequested)
        {
            LogSendFailed(_loops.Logger, partition, target.Node, LogText.Clean(failure.Message));
            return false;
        }
    }

    // An earlier round may have made a proposal without learning its outcome: only a consistent read may unseal.
    private async ValueTask TakeBackAsync(
        ImmutableArray<PartitionId> returning, NodeSlot self, CancellationToken cancellationToken)
    {
        if (returning.IsEmpty)
            return;
        var table = await _table.ReadAsync(cancellationToken).ConfigureAwait(false);
        foreach (var partition in returning)
        {
            var entry = table[partition];
            var local = _store.GetStatistics(partition);
            var isOurs = entry.Primary == self && entry.InSync.Count == 1;
            if (!isOurs || local.State != PartitionState.Sealed)
                continue;
            if (entry.Epoch > local.Epoch)
                _store.Serve(partition, entry.Epoch);
            else
                _store.Unseal(partition);
        }
    }

    private async ValueTask ProposeAsync(
        Func<ClusterTable, ClusterTable> change, CancellationToken cancellationToken) =>
        await _proposer.ProposeAsync(change, ProposalPace.Urgent, null, cancellationToken).ConfigureAwait(false);

    private async ValueTask WaitAsync(long version, CancellationToken cancellationToken)
    {
        using var idle = new CancellationTokenSource(IdleWait, _loops.Time);
        using var woken = CancellationTokenSource.CreateLinkedTokenSource(idle.Token, cancellationToken);
        try
        {
            await View.WaitForNewerAsync(version, woken.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // No table change woke the loop. It still looks for partitions that the state store has sealed by itself.
        }
    }
}
