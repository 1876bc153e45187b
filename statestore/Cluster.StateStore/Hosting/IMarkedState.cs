namespace Cluster.StateStore.Hosting;

/// <summary>A state that tells for how long a value that was read may be used without a further read. Caches that keep
/// objects use it. Thread-safe.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
public interface IMarkedState<in TKey>
{
    /// <summary>Marks a key. Take the mark before the value is read.</summary>
    /// <param name="key">The key.</param>
    /// <returns>A mark that is never valid where this process keeps no values of the state
    /// (<c>NearCacheBytes</c> is 0), or is not told of changes yet.</returns>
    NearMark Mark(TKey key);
}
