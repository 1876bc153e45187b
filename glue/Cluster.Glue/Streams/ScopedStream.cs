using Cluster.Glue.References;

namespace Cluster.Glue.Streams;

/// <summary>A stream that a service returned to a caller in the same process. It keeps the DI scope of the service open
/// until the stream has been read once. Immutable.</summary>
internal sealed class ScopedStream<T>(IAsyncEnumerable<T> stream, ReferenceLease lease) : IAsyncEnumerable<T>
{
    public async IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        try
        {
            await foreach (var item in stream.WithCancellation(cancellationToken).ConfigureAwait(false))
                yield return item;
        }
        finally
        {
            lease.Release();
        }
    }
}
