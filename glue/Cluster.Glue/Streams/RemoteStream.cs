using Cluster.Glue.References;

namespace Cluster.Glue.Streams;

/// <summary>A stream of a peer as users get it: to be read once. When it becomes garbage unread, it is given back to
/// its owner. Thread-safe.</summary>
internal sealed class RemoteStream<T>(StreamReference<T> stream) : IAsyncEnumerable<T>, IRemoteObject
{
    // Nothing waits in it; one that is being read is its enumerator's.
    ~RemoteStream()
    {
        if (stream.IsStarted)
            return;
        if (stream.IsReturning)
            GC.ReRegisterForFinalize(this);
        else
            ThreadPool.UnsafeQueueUserWorkItem(static one => one.Release(), stream, preferLocal: false);
    }

    public ImportedReference Reference => stream;

    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        new RemoteEnumerator<T>(this, stream, cancellationToken);
}
