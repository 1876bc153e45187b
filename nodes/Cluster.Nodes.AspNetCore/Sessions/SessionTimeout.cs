namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>How long loading and saving a session may take. Immutable.</summary>
/// <param name="span">The time; <see cref="Timeout.InfiniteTimeSpan"/> sets no bound.</param>
/// <param name="time">The clock.</param>
internal sealed class SessionTimeout(TimeSpan span, TimeProvider time)
{
    /// <summary>Runs something with a token that ends after the time.</summary>
    /// <param name="run">What runs.</param>
    /// <param name="cancellationToken">The token of the caller, which ends the run, too.</param>
    /// <returns>False: the time was over.</returns>
    public async ValueTask<bool> TryRunAsync(
        Func<CancellationToken, ValueTask> run, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(span, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            either.Token.ThrowIfCancellationRequested();
            await run(either.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
            when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            return false;
        }
    }
}
