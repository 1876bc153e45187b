using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>The loads of missing values that run in this process: one for each key, however many callers ask.
/// Thread-safe.</summary>
internal sealed class SharedLoads
{
    private readonly ConcurrentDictionary<StateKey, Lazy<Task<byte[]?>>> _loads = new();

    /// <summary>Returns a number that no other load of the cluster has.</summary>
    public static long NewToken()
    {
        Span<byte> bytes = stackalloc byte[16];
        Guid.NewGuid().TryWriteBytes(bytes);
        return (BinaryPrimitives.ReadInt64LittleEndian(bytes) & long.MaxValue) | 1;
    }

    /// <summary>Joins the load of a key, or begins it.</summary>
    /// <param name="key">The key.</param>
    /// <param name="load">Loads the bytes of the value; null: there is none.</param>
    /// <param name="cancellationToken">Ends the wait of this caller alone.</param>
    public Task<byte[]?> RunAsync(StateKey key, Func<Task<byte[]?>> load, CancellationToken cancellationToken)
    {
        var own = new Lazy<Task<byte[]?>>(() => RunAsync(key, load));
        return _loads.GetOrAdd(key, own).Value.WaitAsync(cancellationToken);
    }

    private async Task<byte[]?> RunAsync(StateKey key, Func<Task<byte[]?>> load)
    {
        try
        {
            return await load().ConfigureAwait(false);
        }
        finally
        {
            _loads.TryRemove(key, out _);
        }
    }
}
