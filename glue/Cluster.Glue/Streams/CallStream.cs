using Cluster.Glue.Client;

namespace Cluster.Glue.Streams;

/// <summary>Makes the results of methods that return a stream; used by proxies. Stateless.</summary>
internal static class CallStream
{
    public static IAsyncEnumerable<T> Of<T>(
        OutgoingCall<IAsyncEnumerable<T>> call, CancellationToken cancellationToken) =>
        new CallStream<T>(call, cancellationToken);
}

/// <summary>The result of a proxy's method that returns a stream. The call is made when reading begins, with the
/// arguments as they were given. Can be read once. Its state changes by one atomic step.</summary>
internal sealed class CallStream<T>(OutgoingCall<IAsyncEnumerable<T>> call, CancellationToken callToken)
    : IAsyncEnumerable<T>
{
    private OutgoingCall<IAsyncEnumerable<T>>? _call = call;

    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        var taken = Interlocked.Exchange(ref _call, null)
            ?? throw new InvalidOperationException(
                "The result of a call can be read once; call the method again for another reading.");
        return new CallEnumerator<T>(taken, callToken, cancellationToken);
    }
}
