namespace Cluster.Pile.Caching;

/// <summary>The cache tables of a pile: values by key in its native memory, within its budget. Keeps nothing of its
/// own: all caches of one pile show the same tables, which end with the pile. Thread-safe.</summary>
public sealed class PileCache
{
    private readonly LocalPile _pile;

    /// <summary>Shows the tables of a pile.</summary>
    public PileCache(LocalPile pile)
    {
        ArgumentNullException.ThrowIfNull(pile);
        _pile = pile;
    }

    /// <summary>The names of the tables.</summary>
    public IReadOnlyList<string> TableNames => _pile.Caches.Names;

    /// <summary>The table of a name, which is made when there is none. Every call with the same types, keys and options
    /// gives the same table; one without options takes the table as it is.</summary>
    /// <param name="name">The name, which also metrics show.</param>
    /// <param name="options">How the table is to be; null for the defaults, or for what it is.</param>
    /// <param name="keys">How keys become bytes; null for the usual way of integers, enums, guids, strings and byte
    /// arrays.</param>
    /// <exception cref="ArgumentException">Options are wrong; the message names all of them. Or the keys have no usual
    /// way.</exception>
    /// <exception cref="InvalidOperationException">The table of that name has other types, keys or options; the message
    /// names both.</exception>
    /// <exception cref="PileFullException">The budget does not hold another table.</exception>
    public CacheTable<TKey, TValue> GetOrCreateTable<TKey, TValue>(
        string name, CacheTableOptions? options = null, IKeyCodec<TKey>? keys = null)
        where TKey : notnull
        where TValue : notnull
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        _pile.ThrowIfDisposed();
        var problems = options?.Problems() ?? [];
        if (problems.Count > 0)
            throw new ArgumentException(string.Join(' ', problems), nameof(options));
        return _pile.Caches.GetOrCreate<TKey, TValue>(name, options?.Freeze(), keys ?? UsualKeys<TKey>());
    }

    /// <summary>The table of a name; false when there is none.</summary>
    /// <exception cref="InvalidOperationException">The table of that name has other types.</exception>
    public bool TryGetTable<TKey, TValue>(string name, [NotNullWhen(true)] out CacheTable<TKey, TValue>? table)
        where TKey : notnull
        where TValue : notnull
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        _pile.ThrowIfDisposed();
        return _pile.Caches.TryGet(name, out table);
    }

    private static IKeyCodec<TKey> UsualKeys<TKey>()
        where TKey : notnull
    {
        return KeyCodecs.Usual<TKey>() ?? throw new ArgumentException(
            $"Keys of type {typeof(TKey)} have no usual form as bytes; integers, enums, Guid, string and byte[] have. "
            + $"Give an {nameof(IKeyCodec<TKey>)} for them.",
            "keys");
    }
}
