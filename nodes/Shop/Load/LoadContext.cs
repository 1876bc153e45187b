using Cluster.Contracts;

namespace Shop.Load;

/// <summary>What all callers of one load share. Immutable besides the ledger, which is thread-safe.</summary>
internal sealed class LoadContext(
    IClusterWatch watch, IReadOnlyList<string> packages, NodeId self, TimeProvider time)
{
    private static readonly TimeSpan PauseAfterFailure = TimeSpan.FromMilliseconds(50);

    internal IClusterWatch Watch { get; } = watch;

    internal FailureJudge Judge { get; } = new(watch, time);

    internal CallLedger Ledger { get; } = new();

    internal TimeProvider Time { get; } = time;

    internal string PickPackage(Random random) => packages[random.Next(packages.Count)];

    internal string PackageAt(int index) => packages[(int)((uint)index % (uint)packages.Count)];

    /// <summary>Counts a call that a node answered, by the node's name.</summary>
    internal void CountAnswered(long started, string? node) =>
        Ledger.CountAnswered(Time.GetElapsedTime(started), isRemote: node is not null && node != self.Name);

    /// <summary>
    /// Counts a failed call and lets its caller rest; one that broke because the load is being stopped counts as
    /// nothing.
    /// </summary>
    internal async Task CountFailureAsync(
        string call, Exception failure, CallOutcome outcome, CancellationToken stop)
    {
        if (outcome == CallOutcome.Unavailable)
        {
            Ledger.CountUnavailable();
        }
        else if (!stop.IsCancellationRequested || failure is WrongReplyException)
        {
            Ledger.CountError(call, failure);
        }

        if (!stop.IsCancellationRequested)
        {
            await Task.Delay(PauseAfterFailure, Time, CancellationToken.None).ConfigureAwait(false);
        }
    }
}
