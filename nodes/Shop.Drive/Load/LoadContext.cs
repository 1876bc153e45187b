using Cluster.Contracts;

namespace Shop.Drive.Load;

/// <summary>The objects that all callers of one load share. Immutable except for the ledger, which is
/// thread-safe.</summary>
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

    /// <summary>Counts an answered call. The name of the node that answered decides whether the call is
    /// remote.</summary>
    public void CountAnswered(long started, string? node) =>
        Ledger.CountAnswered(Time.GetElapsedTime(started), isRemote: node is not null && node != self.Name);

    /// <summary>Counts a failed call and delays its caller for a moment. A call that failed because the load is being
    /// stopped is not counted.</summary>
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
