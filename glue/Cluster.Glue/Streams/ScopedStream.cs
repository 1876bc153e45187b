using Cluster.Glue.References;

namespace Cluster.Glue.Streams;

/// <summary>A stream that a service of this process returned to a caller of this process, with the scope of the
/// service, which is closed after one reading. Immutable.</summary>
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
