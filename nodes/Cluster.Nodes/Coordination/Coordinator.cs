using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Proposals;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>Decides for all nodes which members are dead and which member gets which partition. Every node runs a
/// coordinator and tries for the lease; only the holder of the lease decides. Owned by the lifecycle; only its own loop
/// uses its fields.</summary>
internal sealed class Coordinator : IAsyncDisposable
{
    /// <summary>How often members are examined, and how long the coordinator sleeps when no table change wakes
    /// it.</summary>
    public static readonly TimeSpan ExamineInterval = TimeSpan.FromSeconds(1);

    private static readonly LoopPace Pace = new(
        TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(200), TimeSpan.FromSeconds(2));

    private readonly CoordinatorLease _lease;
    private readonly DeadMembers _deadMembers;
    private readonly DecisionMaker _decisions;
    private readonly TableProposer _proposer;
    private readonly TimeProvider _time;
    private readonly BackgroundLoop _loop;

    public Coordinator(
        CoordinatorLease lease, DeadMembers deadMembers, DecisionMaker decisions, TableProposer proposer,
        LoopContext loops)
    {
        _lease = lease;
        _deadMembers = deadMembers;
        _decisions = decisions;
        _proposer = proposer;
        _time = loops.Time;
        _loop = new BackgroundLoop("Coordinating the cluster", Pace, loops, StepAsync);
    }

    /// <summary>Whether this node held the lease in the latest round.</summary>
    public bool IsCoordinator => _lease.IsHeld;

    private TableView View => _proposer.View;

    public string? Failure => _loop.Failure;

    public void Start() => _loop.Start();

    /// <summary>Stops deciding and gives the lease up, so that another node can take it.</summary>
    public async ValueTask DisposeAsync()
    {
        await _loop.DisposeAsync().ConfigureAwait(false);
        await _lease.ReleaseAsync().ConfigureAwait(false);
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
        var known = View.Current.Version;
        if (await _lease.HoldAsync(cancellationToken).ConfigureAwait(false))
        {
            var dead = await _deadMembers.FindAsync(cancellationToken).ConfigureAwait(false);
            await DecideAsync(dead, cancellationToken).ConfigureAwait(false);
            known = View.Current.Version;
        }

        await SleepAsync(known, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask DecideAsync(LivenessResult[] dead, CancellationToken cancellationToken)
    {
        var decision = _decisions.Decide(View.Current, dead);

        // The proposer would find this out as well, but it reads the store for that; an idle coordinator leaves the
        // store alone.
        if (ReferenceEquals(decision.Apply(View.Current), View.Current))
            return;
        var pace = dead.Length > 0 ? ProposalPace.Urgent : ProposalPace.Calm;
        var outcome = await _proposer.ProposeAsync(decision.Apply, pace, _lease.Current, cancellationToken)
            .ConfigureAwait(false);
        if (outcome == ProposalOutcome.LeaseLost)
            await _lease.ReleaseAsync().ConfigureAwait(false);
    }

    private async ValueTask SleepAsync(long known, CancellationToken cancellationToken)
    {
        using var interval = new CancellationTokenSource(ExamineInterval, _time);
        using var woken = CancellationTokenSource.CreateLinkedTokenSource(interval.Token, cancellationToken);
        try
        {
            await View.WaitForNewerAsync(known, woken.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // No table change woke the coordinator within the interval.
        }
    }
}
