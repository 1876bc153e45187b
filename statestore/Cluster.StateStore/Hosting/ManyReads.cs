namespace Cluster.StateStore.Hosting;

/// <summary>Reads many keys by single reads, of which a number run at once. Stateless.</summary>
public static class ManyReads
{
    private const int ReadsAtOnce = 256;

    /// <summary>Reads the entries of keys. A key without an entry is missing in the answer.</summary>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <typeparam name="TValue">The value type.</typeparam>
    /// <param name="state">The state to read from.</param>
    /// <param name="keys">The keys. Each is read once, however often it is named.</param>
    /// <param name="cancellationToken">Ends the reads.</param>
    public static async ValueTask<IReadOnlyDictionary<TKey, StateEntry<TValue>>> GetManyAsync<TKey, TValue>(
        IPartitionedState<TKey, TValue> state, IEnumerable<TKey> keys, CancellationToken cancellationToken)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(state);
        ArgumentNullException.ThrowIfNull(keys);
        var found = new Dictionary<TKey, StateEntry<TValue>>();
        foreach (var part in keys.Distinct().Chunk(ReadsAtOnce))
        {
            var reads = Array.ConvertAll(part, key => state.GetWithVersionAsync(key, cancellationToken).AsTask());
            var entries = await Task.WhenAll(reads).ConfigureAwait(false);
            for (var index = 0; index < part.Length; index++)
            {
                if (entries[index] is { } entry)
                    found[part[index]] = entry;
            }
        }

        return found;
    }
}
