using Cluster.Nodes.Beacons;
using Cluster.Nodes.Coordination;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Members;

/// <summary>Connects the state store of this node with the cluster store, with the other nodes and with the failure
/// detector. Nothing waits here: work runs in the background, and its outcome goes back to the state store. Owned by
/// the member's role. Thread-safe.</summary>
internal sealed partial class NodeEnvironment(
    IClusterStore store, ConfirmedTable table, FrameSender frames, FailureDetector detector, LoopContext loops)
    : INodeEnvironment, IAsyncDisposable
{
    private readonly PendingTasks _tasks = new(failure => LogWorkFailed(loops.Logger, LogText.Clean(failure)));
    private readonly ConcurrentDictionary<NodeId, byte> _examined = new();
    private readonly ConcurrentDictionary<NodeId, byte> _proven = new();
    private readonly SemaphoreSlim _leaseGate = new(1);
    private volatile NodeStateStore? _states;
    private int _readsWanted;
    private bool _isTroubleTold;

    /// <summary>The lease of the coordinator's role.</summary>
    public required CoordinatorLease Lease { get; init; }

    /// <summary>The beacons of this node.</summary>
    public required BeaconExchange Beacons { get; init; }

    /// <summary>The state store, which gets the outcomes. Set once, before the store is started.</summary>
    public NodeStateStore States
    {
        get => _states ?? throw new InvalidOperationException("The state store is not made yet.");
        set => _states = value;
    }

    private NodeId Self => table.View.Self!.Value;

    public void Send(NodeId node, byte[] frame)
    {
        if (table.View.Current.FindMember(node) is { } member)
            frames.Send(member, frame, Probe);
    }

    public void SendBeacon(NodeId node, byte[] frame)
    {
        if (table.View.Current.FindMember(node) is { } member)
            Beacons.Send(member, frame);
    }

    public void AnswerBeacon(NodeId node, byte[] frame) => Beacons.Answer(node, frame);

    public void ReadTable(bool isConsistent)
    {
        // The table's follower keeps the view up to date, so only a newest table is worth a question.
        if (!isConsistent)
            States.TableRead(table.View.Current);
        else if (Interlocked.Increment(ref _readsWanted) == 1)
            _tasks.Start(ReadAsync);
    }

    public void HearOfTable(long version) => table.Hear(version);

    public void Swap(ClusterTable successor, bool needsCoordinator) =>
        _tasks.Start(token => SwapAsync(successor, needsCoordinator, token));

    public void Probe(NodeId node)
    {
        if (table.View.Current.FindMember(node) is { State: not MemberState.Gone } member
            && _examined.TryAdd(node, 0)
            && !_tasks.Start(token => ExamineAsync(member, token)))
            _examined.TryRemove(node, out _);
    }

    public void HoldCoordinator() => _tasks.Start(HoldAsync);

    public void ReleaseCoordinator() => _tasks.Start(_ => ReleaseAsync());

    public async ValueTask DisposeAsync()
    {
        await _tasks.DisposeAsync().ConfigureAwait(false);
        _leaseGate.Dispose();
    }

    // A read that has begun may show an older table than the one that was asked for meanwhile.
    private async Task ReadAsync(CancellationToken cancellationToken)
    {
        int wanted;
        do
        {
            wanted = Volatile.Read(ref _readsWanted);
            try
            {
                States.TableRead(await table.ReadAsync(cancellationToken).ConfigureAwait(false));
            }
            catch (Exception failure) when (failure is ClusterStoreException or OperationCanceledException)
            {
                // The state store asks again. The loop that watches the store reports that it does not answer.
            }
            catch (Exception failure)
            {
                LogWorkFailed(loops.Logger, LogText.Clean(failure));
            }
        }
        while (Interlocked.Add(ref _readsWanted, -wanted) > 0 && !cancellationToken.IsCancellationRequested);
    }

    private async Task SwapAsync(ClusterTable successor, bool needsCoordinator, CancellationToken cancellationToken)
    {
        var held = Lease.Current;
        var result = needsCoordinator && held is null
            ? SwapResult.Conflict
            : await TrySwapAsync(successor, needsCoordinator ? held : null, cancellationToken).ConfigureAwait(false);
        if (result == SwapResult.Done)
            table.Publish(successor);
        States.SwapEnded(successor.ProposerNonce, result);
        if (result == SwapResult.Conflict && needsCoordinator && Lease.Current is null)
            States.CoordinatorKnown(null);
    }

    private async Task<SwapResult> TrySwapAsync(
        ClusterTable successor, ICoordinatorLease? held, CancellationToken cancellationToken)
    {
        try
        {
            var outcome = await store.CompareAndSwapAsync(successor, held, cancellationToken).ConfigureAwait(false);
            Volatile.Write(ref _isTroubleTold, false);
            if (outcome == SwapOutcome.LeaseLost)
                await ReleaseAsync().ConfigureAwait(false);
            return outcome == SwapOutcome.Swapped ? SwapResult.Done : SwapResult.Conflict;
        }
        catch (ClusterStoreException failure) when (IsUnknownAfter(failure.Kind))
        {
            // The loop that watches the store reports the trouble itself.
            if (IsFirstTrouble())
                LogOutcomeUnknown(loops.Logger, LogText.Clean(failure.Message));
            return SwapResult.Unknown;
        }
        catch (OperationCanceledException)
        {
            return SwapResult.Unknown;
        }
        catch (Exception refusal) when (refusal is ArgumentException or ClusterStoreException)
        {
            if (IsFirstTrouble())
                LogTableRefused(loops.Logger, successor.Version, LogText.Clean(refusal.Message));
            return SwapResult.Conflict;
        }
        catch (Exception failure)
        {
            // Without an outcome, the state store would never propose again.
            if (IsFirstTrouble())
                LogWorkFailed(loops.Logger, LogText.Clean(failure));
            return SwapResult.Unknown;
        }
    }

    // A store that was emptied, or replaced, may have taken the change before. The change may come back with the table
    // that another node has read.
    private static bool IsUnknownAfter(ClusterStoreError kind) => kind
        is ClusterStoreError.Unreachable or ClusterStoreError.Emptied or ClusterStoreError.Incompatible;

    // The state store proposes again several times a second, so trouble is told once, until a proposal is answered.
    private bool IsFirstTrouble() => !Interlocked.Exchange(ref _isTroubleTold, true);

    private async Task ExamineAsync(ClusterMember member, CancellationToken cancellationToken)
    {
        try
        {
            var result = await detector.ExamineAsync(member, cancellationToken).ConfigureAwait(false);

            // A node that has just left in order looks dead as well. Only the newest table tells the two apart.
            if (result.State != LivenessState.Dead
                || (await table.ReadAsync(cancellationToken).ConfigureAwait(false)).FindMember(member.Node)
                    is not { State: not MemberState.Gone })
                return;
            if (IsFirstProof(member.Node))
                LogDeathFound(loops.Logger, member.Node, LogText.Clean(result.Reason));
            States.DeathProven(member.Node, result.Reason);
        }
        catch (Exception failure) when (failure is ClusterStoreException or OperationCanceledException)
        {
            // The state store asks again.
        }
        finally
        {
            _examined.TryRemove(member.Node, out _);
        }
    }

    // Until the table no longer lists the node, each failed connection leads to a question. Only the first proof is
    // told.
    private bool IsFirstProof(NodeId node)
    {
        foreach (var gone in _proven.Keys.Where(known => table.View.Current.FindMember(known) is null))
            _proven.TryRemove(gone, out _);
        return _proven.TryAdd(node, 0);
    }

    private async Task HoldAsync(CancellationToken cancellationToken)
    {
        if (!await _leaseGate.WaitAsync(TimeSpan.Zero, cancellationToken).ConfigureAwait(false))
            return;
        try
        {
            var wasHeld = Lease.IsHeld;
            if (await Lease.HoldAsync(cancellationToken).ConfigureAwait(false))
                States.CoordinatorKnown(Self);
            else if (wasHeld)
                States.CoordinatorKnown(null);
        }
        catch (Exception failure) when (failure is ClusterStoreException or OperationCanceledException)
        {
            // Every change of the table is bound to the lease, so a lease that cannot be checked does no harm.
        }
        finally
        {
            _leaseGate.Release();
        }
    }

    private async Task ReleaseAsync()
    {
        await _leaseGate.WaitAsync().ConfigureAwait(false);
        try
        {
            await Lease.ReleaseAsync().ConfigureAwait(false);
        }
        finally
        {
            _leaseGate.Release();
        }
    }
}
