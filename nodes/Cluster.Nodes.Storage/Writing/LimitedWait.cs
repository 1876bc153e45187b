namespace Cluster.Nodes.Storage.Writing;

/// <summary>A token that ends with that of a caller, or after a time.</summary>
internal sealed class LimitedWait : IDisposable
{
    private readonly CancellationTokenSource _limit;
    private readonly CancellationTokenSource _either;

    public LimitedWait(TimeSpan limit, TimeProvider time, CancellationToken cancellationToken)
    {
        _limit = new CancellationTokenSource(limit, time);
        _either = CancellationTokenSource.CreateLinkedTokenSource(_limit.Token, cancellationToken);
    }

    public CancellationToken Token => _either.Token;

    public void Dispose()
    {
        _either.Dispose();
        _limit.Dispose();
    }
}
