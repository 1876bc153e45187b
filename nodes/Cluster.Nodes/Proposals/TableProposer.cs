using Cluster.Contracts.Pacing;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Proposals;

/// <summary>The only way in which this process changes the table: one proposal at a time, each computed from a
/// consistent read, checked against the rules, and swapped in. A gate serialises callers. The gate is held across I/O,
/// so no read, write or call of a user ever waits for it. The changes must be idempotent: they are computed again after
/// a conflict and after an unknown outcome.</summary>
internal sealed partial class TableProposer(
    IClusterStore store, ConfirmedTable table, TimeProvider time, Jitter jitter,
    ILogger<TableProposer> logger) : IDisposable
{
    public static readonly TimeSpan CalmInterval = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan ConflictPauseMax = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan OutagePauseMax = TimeSpan.FromSeconds(2);

    private readonly SemaphoreSlim _gate = new(1);
    private long? _lastSwap;

    /// <summary>This process's view of the table, which shows each successful change.</summary>
    public TableView View => table.View;

    /// <summary>Changes the table. Steps:</summary>
    /// <list type="number">
    /// <item>Wait for the turn.</item>
    /// <item>Read the newest table and compute the successor; when it is the same table, nothing is to be
    /// done.</item>
    /// <item>Check the successor against the rules.</item>
    /// <item>Swap. A conflict starts again from step 2; so does an unknown outcome once the store answers
    /// again.</item>
    /// </list>
    /// <param name="change">Computes the successor's contents; idempotent.</param>
    /// <param name="pace">Whether it may wait.</param>
    /// <param name="lease">When given, the change stands only if made under this lease.</param>
    /// <param name="cancellationToken">
    /// Ends the wait. Until the change is seen to stand or not, the caller obeys the stricter of both configurations.
    /// </param>
    /// <exception cref="ClusterStoreException">The store refuses for good. An outage is waited out instead.</exception>
    public async ValueTask<ProposalOutcome> ProposeAsync(
        Func<ClusterTable, ClusterTable> change,
        ProposalPace pace,
        ICoordinatorLease? lease,
        CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (pace == ProposalPace.Calm)
                await WaitForTurnAsync(cancellationToken).ConfigureAwait(false);
            var outage = new Backoff(2 * ConflictPauseMax, OutagePauseMax, jitter);
            for (var failures = 0; ;)
            {
                try
                {
                    if (await TryOnceAsync(change, lease, cancellationToken)
                        .ConfigureAwait(false) is { } outcome)
                        return outcome;
                    await PauseAsync(jitter.Spread(ConflictPauseMax), cancellationToken).ConfigureAwait(false);
                }
                catch (ClusterStoreException failure) when (failure.Kind == ClusterStoreError.Unreachable)
                {
                    // Every node retries during an outage; StoreReachability reports the outage itself to people.
                    if (++failures == 1)
                        LogOutcomeUnknown(logger, LogText.Clean(failure.Message));
                    else
                        LogStillUnknown(logger, failures, LogText.Clean(failure.Message));
                    await PauseAsync(outage.Next(), cancellationToken).ConfigureAwait(false);
                }
            }
        }
        finally
        {
            _gate.Release();
        }
    }

    public void Dispose() => _gate.Dispose();

    private async ValueTask<ProposalOutcome?> TryOnceAsync(
        Func<ClusterTable, ClusterTable> change, ICoordinatorLease? lease, CancellationToken cancellationToken)
    {
        var standing = await table.ReadAsync(cancellationToken).ConfigureAwait(false);
        var changed = change(standing);
        if (ReferenceEquals(changed, standing))
            return ProposalOutcome.Stands;
        var successor = changed with { Version = checked(standing.Version + 1), ProposerNonce = Guid.NewGuid() };
        Check(standing, successor);
        var outcome = await store.CompareAndSwapAsync(successor, lease, cancellationToken).ConfigureAwait(false);
        if (outcome == SwapOutcome.LeaseLost)
            return ProposalOutcome.LeaseLost;
        if (outcome == SwapOutcome.Conflict)
            return null;
        _lastSwap = time.GetTimestamp();
        table.View.Publish(successor);
        return ProposalOutcome.Stands;
    }

    private static void Check(ClusterTable standing, ClusterTable successor)
    {
        if (PartitionTransitions.FindViolation(standing, successor) is not { } violation)
            return;
        throw new InvalidOperationException($"A change of the table breaks its rules and "
            + $"was not proposed: {violation}");
    }

    private async ValueTask WaitForTurnAsync(CancellationToken cancellationToken)
    {
        if (_lastSwap is not { } last)
            return;
        var rest = CalmInterval - time.GetElapsedTime(last);
        if (rest > TimeSpan.Zero)
            await Task.Delay(rest, time, cancellationToken).ConfigureAwait(false);
    }

    private Task PauseAsync(TimeSpan pause, CancellationToken cancellationToken) =>
        Task.Delay(pause, time, cancellationToken);
}
