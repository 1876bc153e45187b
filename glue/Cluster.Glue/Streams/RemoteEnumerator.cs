namespace Cluster.Glue.Streams;

/// <summary>One reading of a stream of a peer. If it is garbage collected before its end, its finalizer stops the
/// producer. For one user at a time.</summary>
internal sealed class RemoteEnumerator<T>(
    RemoteStream<T> remote, StreamReference<T> stream, CancellationToken cancellationToken)
    : IAsyncEnumerator<T>
{
    private bool _isStarted;

    ~RemoteEnumerator()
    {
        if (_isStarted)
            ThreadPool.UnsafeQueueUserWorkItem(static one => one.Abandon(), stream, preferLocal: false);
    }

    public T Current => stream.Current;

    public ValueTask<bool> MoveNextAsync()
    {
        if (!_isStarted)
        {
            stream.Start(cancellationToken);
            _isStarted = true;
            GC.KeepAlive(remote);
        }

        var next = stream.MoveNextAsync(this);
        // If the finalizer ran during MoveNextAsync, it would drop the items that are being read.
        GC.KeepAlive(this);
        return next;
    }

    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        if (!_isStarted)
            return ValueTask.CompletedTask;
        _isStarted = false;
        return stream.DisposeAsync();
    }
}
