namespace Cluster.Nodes.Stores;

/// <summary>The right to act as coordinator. It avoids contention only; safety rests on compare-and-swap.</summary>
public interface ICoordinatorLease : IAsyncDisposable
{
    /// <summary>Whether the lease still stands; once <c>false</c> it stays so.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<bool> IsHeldAsync(CancellationToken cancellationToken);
}
