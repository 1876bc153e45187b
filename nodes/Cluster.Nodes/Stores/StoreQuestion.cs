namespace Cluster.Nodes.Stores;

/// <summary>Asks a store until it answers: one late answer must not end a start, which has a time limit of its own.
/// Only for requests that may be repeated. Stateless.</summary>
internal static class StoreQuestion
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    /// <summary>Asks, and asks again while the store does not answer.</summary>
    /// <param name="ask">The request.</param>
    /// <param name="time">The clock of the pauses.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ClusterStoreException">The store refuses.</exception>
    public static async Task<T> AskAsync<T>(
        Func<CancellationToken, ValueTask<T>> ask, TimeProvider time, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                return await ask(cancellationToken).ConfigureAwait(false);
            }
            catch (ClusterStoreException failure) when (failure.Kind == ClusterStoreError.Unreachable)
            {
                await Task.Delay(Pause, time, cancellationToken).ConfigureAwait(false);
            }
        }
    }
}
