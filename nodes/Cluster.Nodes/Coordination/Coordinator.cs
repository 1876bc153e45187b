using Cluster.Contracts;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Proposals;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>
/// The one node that decides for all: who is dead, who gets what. Every node runs this and tries for the lease; only
/// its holder decides. Owned by the lifecycle; its fields are used by its own loop alone, but for the flag that says
/// who holds the lease.
/// </summary>
internal sealed partial class Coordinator : IAsyncDisposable
{
    /// <summary>How often members are examined, and how long the coordinator sleeps when no table change wakes
    /// it.</summary>
    public static readonly TimeSpan ExamineInterval = TimeSpan.FromSeconds(1);

    /// <summary>How long the member list must have been as it is before partitions are balanced: nodes start in
    /// groups.</summary>
    public static readonly TimeSpan SettleTime = TimeSpan.FromSeconds(1);

    private static readonly LoopPace Pace = new(
        TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(200), TimeSpan.FromSeconds(2));

    private readonly CoordinatorParts _parts;
    private readonly LoopSurroundings _surroundings;
    private readonly SettledMembers _settled;
    private readonly BackgroundLoop _loop;
    private ICoordinatorLease? _lease;
    private volatile bool _isCoordinator;

    public Coordinator(CoordinatorParts parts, LoopSurroundings surroundings)
    {
        _parts = parts;
        _surroundings = surroundings;
        _settled = new SettledMembers(surroundings.Time, SettleTime);
        _loop = new BackgroundLoop("Coordinating the cluster", Pace, surroundings, StepAsync);
    }

    /// <summary>Whether this node decided most recently.</summary>
    public bool IsCoordinator => _isCoordinator;

    public string? Failure => _loop.Failure;

    public void Start() => _loop.Start();

    /// <summary>Stops deciding and lets another node take over.</summary>
    public async ValueTask DisposeAsync()
    {
        await _loop.DisposeAsync().ConfigureAwait(false);
        await ReleaseAsync().ConfigureAwait(false);
    }

    /// <summary>One round. Steps:</summary>
    /// <list type="number">
    /// <item>Hold the lease, or try for it.</item>
    /// <item>Examine the members: who is proven dead?</item>
    /// <item>Decide on the newest table, and propose.</item>
    /// <item>Sleep until the table changes, at most a second.</item>
    /// </list>
    private async ValueTask StepAsync(CancellationToken cancellationToken)
    {
        var known = _parts.View.Current.Version;
        if (await HoldLeaseAsync(cancellationToken).ConfigureAwait(false))
        {
            var dead = await FindDeadAsync(cancellationToken).ConfigureAwait(false);
            await DecideAsync(dead, cancellationToken).ConfigureAwait(false);
            known = _parts.View.Current.Version;
        }

        await SleepAsync(known, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<bool> HoldLeaseAsync(CancellationToken cancellationToken)
    {
        if (_lease is { } held && !await held.IsHeldAsync(cancellationToken).ConfigureAwait(false))
        {
            LogLeaseLost(_surroundings.Logger);
            await ReleaseAsync().ConfigureAwait(false);
        }

        if (_lease is null)
        {
            _lease = await _parts.Store.TryAcquireCoordinatorAsync(_parts.Self.Node, cancellationToken)
                .ConfigureAwait(false);
            if (_lease is not null)
                LogLeaseHeld(_surroundings.Logger);
        }

        return _isCoordinator = _lease is not null;
    }

    private async ValueTask<LivenessResult[]> FindDeadAsync(CancellationToken cancellationToken)
    {
        var examined = _parts.View.Current.Members
            .Where(member => member.State != MemberState.Gone && member.Node != _parts.Self.Node)
            .Select(member => _parts.Examiner.ExamineAsync(member, cancellationToken).AsTask());
        LivenessResult[] deaths = [.. (await Task.WhenAll(examined).ConfigureAwait(false))
            .Where(result => result.State == LivenessState.Dead)];
        if (deaths.Length == 0)
            return [];

        // A node that has just left in order looks dead as well; only the newest table tells the two apart.
        var table = await ConfirmedTable.ReadAsync(_parts.Store, _parts.View, cancellationToken).ConfigureAwait(false);
        deaths = [.. deaths.Where(death => table.FindMember(death.Node) is { State: not MemberState.Gone })];
        foreach (var death in deaths)
            LogDeathFound(_surroundings.Logger, death.Node, LogText.Clean(death.Reason));
        return deaths;
    }

    private async ValueTask DecideAsync(LivenessResult[] dead, CancellationToken cancellationToken)
    {
        var scope = _settled.Observe(_parts.View.Current) ? MoveScope.Balancing : MoveScope.Draining;
        var decision = new CoordinatorDecision(
            dead, scope, _parts.Settings.InitialNodeCount, _parts.Settings.MaxMovesInFlight)
        {
            Counts = _parts.Counts.Last,
        };

        // The proposer would find out as well, but it reads the store to do so; an idle coordinator leaves the store
        // alone.
        if (ReferenceEquals(decision.Apply(_parts.View.Current), _parts.View.Current))
            return;
        var pace = dead.Length > 0 ? ProposalPace.Urgent : ProposalPace.Calm;
        var outcome = await _parts.Proposer.ProposeAsync(decision.Apply, pace, _lease, cancellationToken)
            .ConfigureAwait(false);
        if (outcome == ProposalOutcome.LeaseLost)
            await ReleaseAsync().ConfigureAwait(false);
    }

    private async ValueTask SleepAsync(long known, CancellationToken cancellationToken)
    {
        using var interval = new CancellationTokenSource(ExamineInterval, _surroundings.Time);
        using var woken = CancellationTokenSource.CreateLinkedTokenSource(interval.Token, cancellationToken);
        try
        {
            await _parts.View.WaitForNewerAsync(known, woken.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // Nothing changed within the interval.
        }
    }

    private async ValueTask ReleaseAsync()
    {
        _isCoordinator = false;
        if (_lease is not { } lease)
            return;
        _lease = null;
        try
        {
            await lease.DisposeAsync().ConfigureAwait(false);
        }
        catch (ClusterStoreException)
        {
            // The store is away; the lease ends there by itself.
        }
    }
}
