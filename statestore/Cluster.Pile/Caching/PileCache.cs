namespace Cluster.Pile.Caching;

/// <summary>The cache tables of a pile: values by key in its native memory, within its budget. Has no state: all caches
/// of one pile show the same tables, which live as long as the pile. Thread-safe.</summary>
public sealed class PileCache
{
    private readonly LocalPile _pile;

    /// <summary>Gives access to the cache tables of a pile.</summary>
    public PileCache(LocalPile pile)
    {
        ArgumentNullException.ThrowIfNull(pile);
        _pile = pile;
    }

    /// <summary>The names of the tables.</summary>
    public IReadOnlyList<string> TableNames => _pile.Caches.Names;

    /// <summary>Returns the table with a name, and creates it when it does not exist. All calls with the same types,
    /// keys and options return the same table. A call without options returns the table with its present
    /// options.</summary>
    /// <param name="name">The name; metrics show it, too.</param>
    /// <param name="options">The options of the table; null for the present options, or for the defaults of a new
    /// table.</param>
    /// <param name="keys">Converts keys into bytes; null for the built-in codec of integers, enums, guids, strings and
    /// byte arrays.</param>
    /// <exception cref="ArgumentException">Options are wrong; the message names all of them. Or there is no built-in
    /// codec for the type of the keys.</exception>
    /// <exception cref="InvalidOperationException">The table with that name has other types, keys or options; the
    /// message names both.</exception>
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

    /// <summary>Returns the table with a name. False: there is no such table.</summary>
    /// <exception cref="InvalidOperationException">The table with that name has other types.</exception>
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
