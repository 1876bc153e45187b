using Cluster.Contracts;
using Cluster.StateStore;

namespace Shop.Drive.Load;

/// <summary>Decides whether a failed call is an error or was made to a node that nobody can reach. News of a death may
/// arrive after the failure that it caused, so the judge waits a moment before it calls a failure an error.
/// Thread-safe.</summary>
internal sealed class FailureJudge(IClusterWatch watch, TimeProvider time)
{
    /// <summary>How long news of a death may be under way.</summary>
    public static readonly TimeSpan NewsDelayMax = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    /// <summary>Judges a failed call to a session's owner.</summary>
    /// <param name="failure">How the call failed.</param>
    /// <param name="session">The session's key.</param>
    /// <param name="before">Where the session was when the call began.</param>
    /// <param name="cancellationToken">Ends the waiting for news.</param>
    public Task<CallOutcome> JudgeAsync(
        Exception failure, string session, SessionPlace before, CancellationToken cancellationToken)
    {
        return MayComeFromDeath(failure)
            ? WaitForNewsAsync(IsOwnerDead, cancellationToken)
            : Task.FromResult(CallOutcome.Failed);

        // The partition may have moved, before the call was sent, to the node that died. It has lost its contents then.
        bool IsOwnerDead() => before.Owner is not { } owner || watch.IsDead(owner)
            || watch.PlaceOf(session).LossCount > before.LossCount;
    }

    /// <summary>Judges a failed call to a service that any node offers.</summary>
    public Task<CallOutcome> JudgeAsync(Exception failure, long started, CancellationToken cancellationToken)
    {
        // A call that is sent just after the death, before the broken connection is noticed, breaks as well.
        var since = started - (long)(NewsDelayMax.TotalSeconds * time.TimestampFrequency);
        return MayComeFromDeath(failure)
            ? WaitForNewsAsync(() => watch.HasDeathSince(since), cancellationToken)
            : Task.FromResult(CallOutcome.Failed);
    }

    /// <summary>Waits until a session's partition is known to have lost its contents since a moment.</summary>
    /// <returns>False when no such news came: the contents should be there.</returns>
    public async Task<bool> HasLostAsync(string session, int lossCountBefore, CancellationToken cancellationToken) =>
        await WaitForNewsAsync(() => watch.PlaceOf(session).LossCount > lossCountBefore, cancellationToken)
            .ConfigureAwait(false) == CallOutcome.Unavailable;

    private static bool MayComeFromDeath(Exception failure) => failure switch
    {
        StateUnavailableException => true,
        StateOutcomeUnknownException { InnerException: { } inner } => MayComeFromDeath(inner),
        GlueException glue => glue.Kind
            is GlueErrorKind.Unreachable or GlueErrorKind.Broken or GlueErrorKind.Deadline,
        _ => false,
    };

    private async Task<CallOutcome> WaitForNewsAsync(Func<bool> isKnown, CancellationToken cancellationToken)
    {
        var started = time.GetTimestamp();
        while (!isKnown())
        {
            if (time.GetElapsedTime(started) >= NewsDelayMax || cancellationToken.IsCancellationRequested)
                return CallOutcome.Failed;

            await Task.Delay(Pause, time, CancellationToken.None).ConfigureAwait(false);
        }

        return CallOutcome.Unavailable;
    }
}
