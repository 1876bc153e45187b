using Cluster.Pile.Caching.Flights;
using Cluster.Pile.Caching.Keys;
using Cluster.Pile.Context;
using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Index;
using Cluster.Pile.Tables.Log;
using Cluster.Slim;

namespace Cluster.Pile.Caching;

/// <summary>Values by key in the memory of a pile. Made by a <see cref="PileCache"/>; lives as long as the pile.
/// Thread-safe: reads take no lock, and every operation on a key happens at one moment.</summary>
/// <typeparam name="TKey">The keys: integers, enums, guids, strings, byte arrays, or what an
/// <see cref="IKeyCodec{TKey}"/> makes bytes of.</typeparam>
/// <typeparam name="TValue">The values: byte arrays and strings, which are stored as such, or any graph that Slim
/// carries. A read gives a copy of its own.</typeparam>
public sealed class CacheTable<TKey, TValue>
    where TKey : notnull
    where TValue : notnull
{
    /// <summary>The highest priority of an entry; the lowest is zero.</summary>
    public const int MaxPriority = 7;

    private const int KeyStackBytes = EncodedKey<TKey>.StackBytes;

    private readonly PileLifetime _lifetime;
    private readonly IKeyCodec<TKey> _keys;
    private readonly CacheEntries _entries;
    private readonly EntryValues<TValue> _values;
    private readonly SingleFlight<TValue> _flights;
    private readonly KeyHash _hash;
    private readonly bool _hasIntegerKeys;

    internal CacheTable(
        PileLifetime lifetime, string name, IKeyCodec<TKey> keys, CacheEntries entries, EntryValues<TValue> values)
    {
        _lifetime = lifetime;
        Name = name;
        _keys = keys;
        _entries = entries;
        _values = values;
        _flights = new SingleFlight<TValue>(values);
        _hash = entries.Store.Hash;
        _hasIntegerKeys = keys is IntegerKeys<TKey>;
    }

    /// <summary>The name of the table.</summary>
    public string Name { get; }

    /// <summary>Entries, those included that expired and were not yet removed. Exact when nothing runs.</summary>
    public long Count => _entries.Store.Count;

    /// <summary>What the table takes of the pile at most; null for what the pile has. Setting it lower evicts at once
    /// what is above, the lowest priorities first; a durable table keeps what it has and refuses more.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is below
    /// <see cref="CacheTableOptions.MinMaxBytes"/>.</exception>
    public long? MaxBytes
    {
        get => _entries.BytesMax;
        set
        {
            _lifetime.ThrowIfOver();
            if (value < CacheTableOptions.MinMaxBytes)
                CacheErrors.BytesMaxOutOfRange(value, CacheTableOptions.MinMaxBytes);
            _entries.BytesMax = value;
        }
    }

    /// <summary>How many entries the table may have; null without a limit. Setting it lower evicts at once what is
    /// above, the lowest priorities first; a durable table keeps what it has and refuses more.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is below one.</exception>
    public long? MaxEntries
    {
        get => _entries.EntriesMax;
        set
        {
            _lifetime.ThrowIfOver();
            ArgumentOutOfRangeException.ThrowIfLessThan(value ?? 1, 1, nameof(value));
            _entries.EntriesMax = value;
        }
    }

    /// <summary>Stores a copy of a value under a key, in place of what was there.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="priority">From zero to <see cref="MaxPriority"/>; entries never displace those of a higher one.
    /// </param>
    /// <param name="maxAge">After which time the entry is gone; null for what the table says, <see
    /// cref="Timeout.InfiniteTimeSpan"/> for never.</param>
    /// <param name="absoluteExpiration">When the entry is gone in any case; at once when that has passed.</param>
    /// <exception cref="SlimException">The value cannot be carried; nothing was changed.</exception>
    /// <exception cref="ArgumentException">The key is too long, or priority or times are out of range.</exception>
    public PutResult Put(
        TKey key,
        TValue value,
        int priority = 0,
        TimeSpan? maxAge = null,
        DateTimeOffset? absoluteExpiration = null)
    {
        ArgumentNullException.ThrowIfNull(value);
        using var encoded = EncodeToPut(key, stackalloc byte[KeyStackBytes]);
        var terms = EntryOptions.Checked(priority, maxAge, absoluteExpiration);
        OvertakeLoads(encoded.Bytes);
        return _values.Put(encoded.Record, value, terms);
    }

    /// <summary>Stores bytes under a key, in place of what was there: the way into tables of byte arrays without an
    /// array. Allocates nothing. Tables whose values may be byte arrays among others, such as those of
    /// <see cref="object"/>, take bytes, too, and give them as an array; the compiler prefers this method there for an
    /// array.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The bytes.</param>
    /// <param name="priority">As with other puts.</param>
    /// <param name="maxAge">As with other puts.</param>
    /// <param name="absoluteExpiration">As with other puts.</param>
    /// <exception cref="InvalidOperationException">The values of this table cannot be byte arrays.</exception>
    public PutResult Put(
        TKey key,
        ReadOnlySpan<byte> value,
        int priority = 0,
        TimeSpan? maxAge = null,
        DateTimeOffset? absoluteExpiration = null)
    {
        if (!typeof(TValue).IsAssignableFrom(typeof(byte[])))
            CacheErrors.NotATableOfBytes(Name, typeof(TValue));
        using var encoded = EncodeToPut(key, stackalloc byte[KeyStackBytes]);
        var terms = EntryOptions.Checked(priority, maxAge, absoluteExpiration);
        OvertakeLoads(encoded.Bytes);
        return _entries.Put(encoded.Record, RecordKind.Bytes, value, terms, RecordCondition.Always);
    }

    /// <summary>Has the entry of a key own an object of the same pile, which ends with the entry; reads give the
    /// object. The pointer stays valid until then, and changes of the object in place show. An object under a view ends
    /// some time after the view.</summary>
    /// <param name="key">The key.</param>
    /// <param name="pointer">The object. It stays the caller's when the put is refused.</param>
    /// <param name="priority">As with other puts.</param>
    /// <param name="maxAge">As with other puts.</param>
    /// <param name="absoluteExpiration">As with other puts.</param>
    /// <exception cref="InvalidPilePointerException">The pointer names no live object of the pile.</exception>
    public PutResult PutPointer(
        TKey key,
        PilePointer pointer,
        int priority = 0,
        TimeSpan? maxAge = null,
        DateTimeOffset? absoluteExpiration = null)
    {
        using var encoded = EncodeToPut(key, stackalloc byte[KeyStackBytes]);
        var terms = EntryOptions.Checked(priority, maxAge, absoluteExpiration);
        OvertakeLoads(encoded.Bytes);
        return _values.PutPointer(encoded.Record, pointer, terms);
    }

    /// <summary>A copy of the value of a key; false when there is none.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="maxAge">Entries that are older are not found; null finds all. Needs <see
    /// cref="CacheTableOptions.TracksAge"/>.</param>
    /// <exception cref="InvalidCastException">The entry holds an object of another type.</exception>
    public bool TryGet(TKey key, [MaybeNullWhen(false)] out TValue value, TimeSpan? maxAge = null)
    {
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        return _entries.Counters.CountRead(_values.TryGet(encoded.Record, new ReadOptions(maxAge), out value));
    }

    /// <summary>Copies the stored bytes of a value if the destination holds all of them, and tells how many there are
    /// either way; false when there is no entry. Allocates nothing. Strings and graphs give their stored
    /// form.</summary>
    /// <param name="key">The key.</param>
    /// <param name="destination">Gets the bytes; what it contains means nothing when it is too short.</param>
    /// <param name="length">How many bytes the value has.</param>
    /// <param name="maxAge">Entries that are older are not found; null finds all. Needs <see
    /// cref="CacheTableOptions.TracksAge"/>.</param>
    public bool TryRead(TKey key, Span<byte> destination, out int length, TimeSpan? maxAge = null)
    {
        if (_hasIntegerKeys && maxAge is null)
        {
            _lifetime.ThrowIfOver();
            var number = IntegerKeys<TKey>.ToInt64(key);
            if (_entries.Store.TryReadPlain(_hash.OfInteger(number), number, destination, out length))
            {
                _entries.Counters.CountHit();
                return true;
            }
        }

        return TryReadSlowly(key, destination, out length, maxAge);
    }

    // A separate method, because its buffer for a key would have to be cleared for the other keys, too.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryReadSlowly(TKey key, Span<byte> destination, out int length, TimeSpan? maxAge)
    {
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        return _entries.Counters.CountRead(
            _values.TryRead(encoded.Record, destination, new ReadOptions(maxAge), out length));
    }

    /// <summary>Copies of the values of many keys, in their order, with <c>default</c> for those that have none; gives
    /// how many were found.</summary>
    /// <exception cref="ArgumentException">There are fewer results than keys; nothing was read.</exception>
    public int GetMany(ReadOnlySpan<TKey> keys, Span<TValue?> results)
    {
        if (results.Length < keys.Length)
            PileErrors.TooFewPlaces(keys.Length, results.Length);
        var found = 0;
        var ahead = new EntryReadAhead<TKey>(_entries.Store, _hasIntegerKeys ? keys : default);
        for (var i = 0; i < keys.Length; i++)
        {
            ahead.Step();
            found += TryGet(keys[i], out results[i]) ? 1 : 0;
        }

        return found;
    }

    /// <summary>Copies the stored bytes of the values of many keys, one behind another in the order of the keys.
    /// Allocates nothing. For integer keys, what is not in the processor's caches is fetched ahead.</summary>
    /// <param name="keys">The keys.</param>
    /// <param name="destination">Gets the bytes.</param>
    /// <param name="lengths">Gets how many bytes each value has, or -1 where there is no entry.</param>
    /// <returns>How many keys are done: fewer than all when the value of the next one does not fit into what is left of
    /// the destination. Its length is told nevertheless; ask for it and the others again.</returns>
    /// <exception cref="ArgumentException">There are fewer lengths than keys; nothing was read.</exception>
    public int ReadMany(ReadOnlySpan<TKey> keys, Span<byte> destination, Span<int> lengths)
    {
        if (lengths.Length < keys.Length)
            PileErrors.TooFewPlaces(keys.Length, lengths.Length);
        var ahead = new EntryReadAhead<TKey>(_entries.Store, _hasIntegerKeys ? keys : default);
        for (var i = 0; i < keys.Length; i++)
        {
            ahead.Step();
            if (!TryRead(keys[i], destination, out lengths[i]))
                lengths[i] = -1;
            else if (lengths[i] > destination.Length)
                return i;
            else
                destination = destination[lengths[i]..];
        }

        return keys.Length;
    }

    /// <summary>The object that the entry of a key owns; false when there is no entry or none that owns one.</summary>
    public bool TryGetPointer(TKey key, out PilePointer pointer)
    {
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        return _entries.Counters.CountRead(_values.TryGetPointer(encoded.Record, out pointer));
    }

    /// <summary>The value of a key; where there is none, the one that the factory makes, which is stored. Of all
    /// callers who ask for one key meanwhile, one calls its factory, and the others wait; other keys are not
    /// delayed.</summary>
    /// <remarks>A failure of the factory reaches all who wait, and nothing is stored. A put or remove of the key while
    /// the factory runs wins over what it makes. The factory may ask for other keys.</remarks>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the value; runs under no lock.</param>
    /// <param name="priority">As with puts.</param>
    /// <param name="maxAge">As with puts.</param>
    /// <param name="absoluteExpiration">As with puts.</param>
    /// <exception cref="InvalidOperationException">The factory waits for its own key, or gave null.</exception>
    public TValue GetOrAdd(
        TKey key,
        Func<TKey, TValue> factory,
        int priority = 0,
        TimeSpan? maxAge = null,
        DateTimeOffset? absoluteExpiration = null)
    {
        ArgumentNullException.ThrowIfNull(factory);
        var terms = EntryOptions.Checked(priority, maxAge, absoluteExpiration);
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        return _entries.Counters.CountRead(_values.TryGet(encoded.Record, default, out var value))
            ? value!
            : _flights.Run(encoded.Bytes.ToArray(), key, factory, terms);
    }

    /// <summary>Like <see cref="GetOrAdd"/>, with which it shares loads. Cancelling ends this caller's wait only: when
    /// its factory was running and ends by that, the next who waits calls his.</summary>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the value; runs under no lock.</param>
    /// <param name="priority">As with puts.</param>
    /// <param name="maxAge">As with puts.</param>
    /// <param name="absoluteExpiration">As with puts.</param>
    /// <param name="cancellationToken">Ends the wait; the factory gets it, too.</param>
    /// <exception cref="InvalidOperationException">The factory waits for its own key, or gave null.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public ValueTask<TValue> GetOrAddAsync(
        TKey key,
        Func<TKey, CancellationToken, ValueTask<TValue>> factory,
        int priority = 0,
        TimeSpan? maxAge = null,
        DateTimeOffset? absoluteExpiration = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(factory);
        var terms = EntryOptions.Checked(priority, maxAge, absoluteExpiration);
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        return _entries.Counters.CountRead(_values.TryGet(encoded.Record, default, out var value))
            ? ValueTask.FromResult(value!)
            : _flights.RunAsync(encoded.Bytes.ToArray(), key, factory, terms, cancellationToken);
    }

    /// <summary>Removes the entry of a key, and the object that it owns; false when there is none.</summary>
    public bool Remove(TKey key)
    {
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        _flights.Overtake(encoded.Bytes);
        return _entries.Counters.CountRemoval(_entries.Store.Remove(encoded.Record) == RecordStatus.Found);
    }

    /// <summary>Gives the entry of a key the age zero, as if it were put now: its maximal age or sliding span begins
    /// anew, up to an absolute expiration. False when there is no entry.</summary>
    public bool Refresh(TKey key)
    {
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        return _entries.Rejuvenate(encoded.Record);
    }

    /// <summary>Removes all entries that are there when the call begins, and the objects that they own.</summary>
    public void Clear()
    {
        _lifetime.ThrowIfOver();
        _flights.OvertakeAll();
        var scan = RecordStore.BeginScan();
        while (_entries.Store.TryNext(scan, out var key))
            _entries.Store.Remove(new RecordKey(_hash.OfBytes(key), key));
    }

    /// <summary>All entries, in no useful order: one that is there all the time is met exactly once, one that comes or
    /// goes meanwhile may be met or not. Neither lengthens the life of entries nor counts as use of them.</summary>
    public IEnumerable<KeyValuePair<TKey, TValue>> Enumerate()
    {
        _lifetime.ThrowIfOver();
        var scan = RecordStore.BeginScan();
        while (TryNext(scan, out var entry))
            yield return entry;
    }

    /// <summary>What the table holds and what happened to it.</summary>
    public CacheTableStatistics GetStatistics()
    {
        _lifetime.ThrowIfOver();
        return CollectStatistics();
    }

    /// <summary>Collects the statistics for metrics, which may ask while the pile is being disposed of.</summary>
    internal CacheTableStatistics CollectStatistics() =>
        CacheTableStatistics.Of(
            _entries.Store, _entries.Counters, (_entries.BytesMax, _entries.EntriesMax), _flights.Count);

    private EncodedKey<TKey> Encode(TKey key, Span<byte> stack)
    {
        ArgumentNullException.ThrowIfNull(key);
        _lifetime.ThrowIfOver();
        return new EncodedKey<TKey>(_keys, _hash, key, stack);
    }

    // The processor fetches the bucket while the rest of the put is prepared: 4.7 instead of 4.3 million inserts a
    // second.
    private EncodedKey<TKey> EncodeToPut(TKey key, Span<byte> stack)
    {
        var encoded = Encode(key, stack);
        _entries.Store.PrefetchBucket(encoded.Hash);
        return encoded;
    }

    // A load that begins after this cannot replace the put value: it stores only where there is no entry.
    private void OvertakeLoads(ReadOnlySpan<byte> key)
    {
        if (_flights.Count != 0)
            _flights.Overtake(key);
    }

    private bool TryNext(RecordScan scan, out KeyValuePair<TKey, TValue> entry)
    {
        while (_entries.Store.TryNext(scan, out var key))
        {
            var record = new RecordKey(_hash.OfBytes(key), key);
            if (!_values.TryGet(record, new ReadOptions(AgeMax: null, IsGlance: true), out var value))
                continue;
            entry = new KeyValuePair<TKey, TValue>(_keys.Decode(key), value);
            return true;
        }

        entry = default;
        return false;
    }
}
