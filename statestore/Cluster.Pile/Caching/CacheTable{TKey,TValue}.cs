using Cluster.Pile.Caching.Flights;
using Cluster.Pile.Caching.Keys;
using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;
using Cluster.Slim;

namespace Cluster.Pile.Caching;

/// <summary>Values by key in the memory of a pile. Created by a <see cref="PileCache"/>; lives as long as the pile.
/// Thread-safe: reads take no lock, and every operation on a key happens at one moment.</summary>
/// <typeparam name="TKey">The type of the keys: integers, enums, guids, strings, byte arrays, or any type with an
/// <see cref="IKeyCodec{TKey}"/>.</typeparam>
/// <typeparam name="TValue">The type of the values. Byte arrays and strings are stored as they are, other values as
/// graphs that Slim carries. Each read returns a separate copy.</typeparam>
public sealed class CacheTable<TKey, TValue>
    where TKey : notnull
    where TValue : notnull
{
    /// <summary>The highest priority of an entry; the lowest is zero.</summary>
    public const int MaxPriority = 7;

    private const int KeyStackBytes = EncodedKey<TKey>.StackBytes;

    private readonly RecordStore _store;
    private readonly IKeyCodec<TKey> _keys;
    private readonly CacheEntries _entries;
    private readonly EntryValues<TValue> _values;
    private readonly SingleFlight<TValue> _flights;
    private readonly KeyHash _hash;
    private readonly bool _hasIntegerKeys;

    internal CacheTable(string name, IKeyCodec<TKey> keys, CacheEntries entries, EntryValues<TValue> values)
    {
        _store = entries.Store;
        Name = name;
        _keys = keys;
        _entries = entries;
        _values = values;
        _flights = new SingleFlight<TValue>(values);
        _hash = _store.Hash;
        _hasIntegerKeys = keys is IntegerKeys<TKey>;
    }

    /// <summary>The name of the table.</summary>
    public string Name { get; }

    /// <summary>The number of entries, including those that expired and were not removed yet. Exact when no other
    /// operation runs.</summary>
    public long Count => _store.Count;

    /// <summary>The most bytes of the pile that the table may use; null when only the pile limits it. When a lower
    /// value is set, an evicting table at once evicts the excess, the lowest priorities first; a non-evicting table
    /// keeps its entries and refuses new ones.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is below
    /// <see cref="CacheTableOptions.MinMaxBytes"/>.</exception>
    public long? MaxBytes
    {
        get => _entries.BytesMax;
        set
        {
            _store.ThrowIfDisposed();
            if (value < CacheTableOptions.MinMaxBytes)
                CacheErrors.BytesMaxOutOfRange(value, CacheTableOptions.MinMaxBytes);
            _entries.BytesMax = value;
        }
    }

    /// <summary>The most entries that the table may have; null without a limit. When a lower value is set, an evicting
    /// table at once evicts the excess, the lowest priorities first; a non-evicting table keeps its entries and refuses
    /// new ones.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is below one.</exception>
    public long? MaxEntries
    {
        get => _entries.EntriesMax;
        set
        {
            _store.ThrowIfDisposed();
            ArgumentOutOfRangeException.ThrowIfLessThan(value ?? 1, 1, nameof(value));
            _entries.EntriesMax = value;
        }
    }

    /// <summary>Stores a copy of a value under a key. It replaces the present entry of the key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="priority">From zero to <see cref="MaxPriority"/>. An entry never displaces one of a higher
    /// priority.</param>
    /// <param name="maxAge">The time after which the entry expires; null for the option of the table,
    /// <see cref="Timeout.InfiniteTimeSpan"/> for never.</param>
    /// <param name="absoluteExpiration">The moment at which the entry expires in any case; a moment in the past means
    /// at once.</param>
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

    /// <summary>Stores bytes under a key, without a need for an array. They replace the present entry of the key.
    /// Allocates nothing. Also for tables whose value type includes byte arrays, such as <see cref="object"/>: reads
    /// return the bytes as an array there, and the compiler chooses this method when the argument is an
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

    /// <summary>Makes the entry of a key own an object of the same pile. The object is deleted with the entry; an
    /// object under a view is deleted some time after the view is closed. Reads of the key return the object, with all
    /// changes that were made to it in place. The pointer stays valid until the object is deleted.</summary>
    /// <param name="key">The key.</param>
    /// <param name="pointer">The object. When the put is refused, the caller still owns it.</param>
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

    /// <summary>Returns a copy of the value of a key. False: the key has no entry.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="maxAge">Entries that are older are not found; null finds all. Needs
    /// <see cref="CacheTableOptions.TracksAge"/>.</param>
    /// <exception cref="InvalidCastException">The entry holds an object of another type.</exception>
    public bool TryGet(TKey key, [MaybeNullWhen(false)] out TValue value, TimeSpan? maxAge = null)
    {
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        return _entries.Counters.CountRead(_values.TryGet(encoded.Record, new ReadOptions(maxAge), out value));
    }

    /// <summary>Copies the stored bytes of a value if the destination holds all of them, and returns their number in
    /// both cases. False: the key has no entry. Allocates nothing. Strings and graphs are copied in their stored
    /// form.</summary>
    /// <param name="key">The key.</param>
    /// <param name="destination">Receives the bytes. When it is too short, its content afterwards has no
    /// meaning.</param>
    /// <param name="length">The number of bytes of the value.</param>
    /// <param name="maxAge">Entries that are older are not found; null finds all. Needs
    /// <see cref="CacheTableOptions.TracksAge"/>.</param>
    public bool TryRead(TKey key, Span<byte> destination, out int length, TimeSpan? maxAge = null)
    {
        if (_hasIntegerKeys && maxAge is null)
        {
            _store.ThrowIfDisposed();
            var number = IntegerKeys<TKey>.ToInt64(key);
            if (_store.TryReadPlain(_hash.OfInteger(number), number, destination, out length))
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

    /// <summary>Copies the values of many keys, in the order of the keys, with <c>default</c> for a key without an
    /// entry. Returns the number of keys that were found.</summary>
    /// <exception cref="ArgumentException">There are fewer results than keys; nothing was read.</exception>
    public int GetMany(ReadOnlySpan<TKey> keys, Span<TValue?> results)
    {
        if (results.Length < keys.Length)
            PileErrors.TooFewPlaces(keys.Length, results.Length);
        var found = 0;
        var ahead = new EntryReadAhead<TKey>(_store, _hasIntegerKeys ? keys : default);
        for (var i = 0; i < keys.Length; i++)
        {
            ahead.Step();
            found += TryGet(keys[i], out results[i]) ? 1 : 0;
        }

        return found;
    }

    /// <summary>Copies the stored bytes of the values of many keys, one after the other in the order of the keys.
    /// Allocates nothing. For integer keys, memory is fetched into the processor's caches ahead of the reads.</summary>
    /// <param name="keys">The keys.</param>
    /// <param name="destination">Receives the bytes.</param>
    /// <param name="lengths">Receives the number of bytes of each value, or -1 for a key without an entry.</param>
    /// <returns>The number of keys that were read. It is less than all when the value of the next key does not fit into
    /// the rest of the destination. The length of that value is in <paramref name="lengths"/>; read its key and the
    /// later ones with another call.</returns>
    /// <exception cref="ArgumentException">There are fewer lengths than keys; nothing was read.</exception>
    public int ReadMany(ReadOnlySpan<TKey> keys, Span<byte> destination, Span<int> lengths)
    {
        if (lengths.Length < keys.Length)
            PileErrors.TooFewPlaces(keys.Length, lengths.Length);
        var ahead = new EntryReadAhead<TKey>(_store, _hasIntegerKeys ? keys : default);
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

    /// <summary>Returns the object that the entry of a key owns. False: the key has no entry, or its entry owns no
    /// object.</summary>
    public bool TryGetPointer(TKey key, out PilePointer pointer)
    {
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        return _entries.Counters.CountRead(_values.TryGetPointer(encoded.Record, out pointer));
    }

    /// <summary>Returns the value of a key. When the key has no entry, calls the factory and stores the value that it
    /// returns. When several callers ask for the same key at this time, one of them calls its factory, and the others
    /// wait. Callers with other keys are not delayed.</summary>
    /// <remarks>When the factory fails, all waiting callers get its exception, and nothing is stored. When the key is
    /// put or removed while the factory runs, the result of the factory is not stored. The factory may ask for other
    /// keys.</remarks>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the value; runs under no lock.</param>
    /// <param name="priority">As with puts.</param>
    /// <param name="maxAge">As with puts.</param>
    /// <param name="absoluteExpiration">As with puts.</param>
    /// <exception cref="InvalidOperationException">The factory waits for its own key, or returned null.</exception>
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

    /// <summary>Like <see cref="GetOrAdd"/>, with which it shares loads. Cancelling ends the wait of this caller only.
    /// When the caller's factory was running and obeys the token, the next waiting caller calls its own
    /// factory.</summary>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the value; runs under no lock.</param>
    /// <param name="priority">As with puts.</param>
    /// <param name="maxAge">As with puts.</param>
    /// <param name="absoluteExpiration">As with puts.</param>
    /// <param name="cancellationToken">Ends the wait; the factory gets it, too.</param>
    /// <exception cref="InvalidOperationException">The factory waits for its own key, or returned null.</exception>
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

    /// <summary>Removes the entry of a key, and the object that the entry owns. False: the key has no entry.</summary>
    public bool Remove(TKey key)
    {
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        _flights.Overtake(encoded.Bytes);
        return _entries.Counters.CountRemoval(_store.Remove(encoded.Record) == RecordStatus.Found);
    }

    /// <summary>Gives the entry of a key the age zero, as a new put does: its maximal age or sliding expiration starts
    /// again, up to an absolute expiration. False: the key has no entry.</summary>
    public bool Refresh(TKey key)
    {
        using var encoded = Encode(key, stackalloc byte[KeyStackBytes]);
        return _entries.Rejuvenate(encoded.Record);
    }

    /// <summary>Removes all entries that exist when the call begins, and the objects that they own.</summary>
    public void Clear()
    {
        _store.ThrowIfDisposed();
        _flights.OvertakeAll();
        var scan = RecordStore.BeginScan();
        while (_store.TryNext(scan, out var key))
            _store.Remove(new RecordKey(_hash.OfBytes(key), key));
    }

    /// <summary>Enumerates all entries, in no useful order. An entry that exists during the whole enumeration is
    /// returned exactly once; one that is added or removed meanwhile may be missing. The enumeration neither extends
    /// the time to live of entries nor counts as use of them.</summary>
    public IEnumerable<KeyValuePair<TKey, TValue>> Enumerate()
    {
        _store.ThrowIfDisposed();
        var scan = RecordStore.BeginScan();
        while (TryNext(scan, out var entry))
            yield return entry;
    }

    /// <summary>Returns the content of the table and the counts of its operations.</summary>
    public CacheTableStatistics GetStatistics()
    {
        _store.ThrowIfDisposed();
        return CollectStatistics();
    }

    /// <summary>Collects the statistics for metrics, which may ask while the pile is being disposed of.</summary>
    internal CacheTableStatistics CollectStatistics() =>
        CacheTableStatistics.Of(
            _store, _entries.Counters, (_entries.BytesMax, _entries.EntriesMax), _flights.Count);

    private EncodedKey<TKey> Encode(TKey key, Span<byte> stack)
    {
        ArgumentNullException.ThrowIfNull(key);
        _store.ThrowIfDisposed();
        return new EncodedKey<TKey>(_keys, _hash, key, stack);
    }

    // The processor fetches the bucket while the rest of the put is prepared: 4.7 instead of 4.3 million inserts a
    // second.
    private EncodedKey<TKey> EncodeToPut(TKey key, Span<byte> stack)
    {
        var encoded = Encode(key, stack);
        _store.PrefetchBucket(encoded.Hash);
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
        while (_store.TryNext(scan, out var key))
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
