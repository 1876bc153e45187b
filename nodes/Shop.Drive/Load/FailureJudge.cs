using Cluster.Contracts;
using Cluster.StateStore;

namespace Shop.Drive.Load;

/// <summary>Decides whether a failed call is an error, or whether the called node was dead. The news of a death may
/// arrive after the failure that the death caused, so the judge waits before it calls a failure an error.
/// Thread-safe.</summary>
internal sealed class FailureJudge(IClusterWatch watch, TimeProvider time)
{
    /// <summary>The maximum time from a death until its news arrives.</summary>
    public static readonly TimeSpan NewsDelayMax = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    /// <summary>Judges a failed call to a session's owner.</summary>
    /// <param name="failure">The exception of the call.</param>
    /// <param name="session">The session's key.</param>
    /// <param name="before">The place of the session's cart when the call began.</param>
    /// <param name="cancellationToken">Ends the wait for news.</param>
    public Task<CallOutcome> JudgeAsync(
        Exception failure, string session, SessionPlace before, CancellationToken cancellationToken)
    {
        return MayComeFromDeath(failure)
            ? WaitForNewsAsync(IsOwnerDead, cancellationToken)
            : Task.FromResult(CallOutcome.Failed);

        // Before the call was sent, the partition may have moved to the node that died. Its loss count has then risen.
        bool IsOwnerDead() => before.Owner is not { } owner || watch.IsDead(owner)
            || watch.PlaceOf(session).LossCount > before.LossCount;
    }

    /// <summary>Judges a failed call to a service that every node offers.</summary>
    /// <param name="failure">The exception of the call.</param>
    /// <param name="started">When the call began.</param>
    /// <param name="isRepeated">Whether the client repeats the call at another node, so that a paused node is no
    /// excuse.</param>
    /// <param name="cancellationToken">Ends the wait for news.</param>
    public Task<CallOutcome> JudgeAsync(
        Exception failure, long started, bool isRepeated, CancellationToken cancellationToken)
    {
        // A call also breaks if it was sent after the death, but before the client noticed the broken connection.
        var since = started - (long)(NewsDelayMax.TotalSeconds * time.TimestampFrequency);
        return MayComeFromDeath(failure)
            ? WaitForNewsAsync(
                () => watch.HasDeathSince(since) || (!isRepeated && watch.HasPauseSince(since)), cancellationToken)
            : Task.FromResult(CallOutcome.Failed);
    }

    /// <summary>Waits for the news that a session's partition has lost its contents.</summary>
    /// <returns>False: no such news came in time, so the contents should still exist.</returns>
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
