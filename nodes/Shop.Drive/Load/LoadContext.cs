using Cluster.Contracts;

namespace Shop.Drive.Load;

/// <summary>What all callers of one load share. Immutable besides the ledger, which is thread-safe.</summary>
internal sealed class LoadContext(
    IClusterWatch watch, IReadOnlyList<string> packages, NodeId self, TimeProvider time)
{
    private static readonly TimeSpan PauseAfterFailure = TimeSpan.FromMilliseconds(50);

    public IClusterWatch Watch { get; } = watch;

    public FailureJudge Judge { get; } = new(watch, time);

    public CallLedger Ledger { get; } = new();

    public TimeProvider Time { get; } = time;

    public string PickPackage(Random random) => packages[random.Next(packages.Count)];

    public string PackageAt(int index) => packages[(int)((uint)index % (uint)packages.Count)];

    /// <summary>Counts a call that a node answered, by the node's name.</summary>
    public void CountAnswered(long started, string? node) =>
        Ledger.CountAnswered(Time.GetElapsedTime(started), isRemote: node is not null && node != self.Name);

    /// <summary>Counts a failed call and lets its caller rest; one that broke because the load is being stopped counts
    /// as nothing.</summary>
    public async Task CountFailureAsync(
        string call, Exception failure, CallOutcome outcome, CancellationToken cancellationToken)
    {
        if (outcome == CallOutcome.Unavailable)
            Ledger.CountUnavailable();
        else if (!cancellationToken.IsCancellationRequested || failure is WrongReplyException)
            Ledger.CountError(call, failure);

        if (!cancellationToken.IsCancellationRequested)
            await Task.Delay(PauseAfterFailure, Time, CancellationToken.None).ConfigureAwait(false);
    }
}
