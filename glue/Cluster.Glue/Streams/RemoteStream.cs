using Cluster.Glue.References;

namespace Cluster.Glue.Streams;

/// <summary>A stream of a peer as users see it; it can be read once. If it is garbage collected unread, its finalizer
/// gives the reference back to the owner. Thread-safe.</summary>
internal sealed class RemoteStream<T>(StreamReference<T> stream) : IAsyncEnumerable<T>, IRemoteObject
{
    // No task waits in an unread stream. A stream that is being read belongs to its enumerator.
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
