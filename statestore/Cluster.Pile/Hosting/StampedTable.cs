using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Hosting;

/// <summary>Records by key in the blocks of a pile, each with a stamp, for libraries that keep state there. The owner
/// chooses the hash of keys, so it can walk over all keys of a range of hashes. Nothing expires and nothing is evicted
/// by itself. Thread-safe: each operation is atomic per key, and reads take no lock and allocate nothing.</summary>
public sealed class StampedTable
{
    /// <summary>The longest key, in bytes.</summary>
    public const int KeyBytesMax = RecordStore.KeyBytesMax;

    /// <summary>The longest value, in bytes.</summary>
    public const int ValueBytesMax = RecordStore.ValueBytesMax - RecordStamp.Bytes;

    private readonly RecordStore _store;

    private StampedTable(RecordStore store) => _store = store;

    /// <summary>The number of records. Exact while nobody changes the table.</summary>
    public long Count => _store.Count;

    /// <summary>The bytes of the pile that the table takes, its index included.</summary>
    public long ReservedBytes => _store.ReservedBytes;

    /// <summary>Opens the table of a name, and creates it if there is none.</summary>
    /// <param name="pile">The pile.</param>
    /// <param name="options">What the table is.</param>
    /// <exception cref="PileFullException">The budget does not hold the table.</exception>
    /// <exception cref="InvalidOperationException">The table exists, and its keys or values have another
    /// form.</exception>
    public static StampedTable Open(LocalPile pile, StampedTableOptions options)
    {
        ArgumentNullException.ThrowIfNull(pile);
        ArgumentNullException.ThrowIfNull(options);
        var store = pile.Records.GetOrCreate(new RecordTableOptions
        {
            Kind = RecordTableKind.Stamped,
            Name = options.Name,
            KeyForm = options.KeyForm,
            ValueForm = options.ValueForm,
            HashSeed = options.HashSeed,
        });
        return new StampedTable(store);
    }

    /// <summary>The names of the tables that a pile has. A pile whose memory outlives the process has them when it
    /// opens.</summary>
    /// <param name="pile">The pile.</param>
    public static IReadOnlyList<string> ListNames(LocalPile pile)
    {
        ArgumentNullException.ThrowIfNull(pile);
        return
        [
            .. pile.Records.All
                .Where(static store => store.Options.Kind == RecordTableKind.Stamped)
                .Select(static store => store.Options.Name),
        ];
    }

    /// <summary>Copies the stamp and the value of a record. Nothing is copied if the destination is too
    /// short.</summary>
    /// <param name="hash">The hash of the key.</param>
    /// <param name="key">The key.</param>
    /// <param name="destination">Gets the <see cref="RecordStamp.Bytes"/> of the stamp, and then the value.</param>
    /// <param name="length">The bytes of stamp and value together.</param>
    /// <returns>False: there is no record.</returns>
    public bool TryRead(ulong hash, ReadOnlySpan<byte> key, Span<byte> destination, out int length)
    {
        _store.ThrowIfDisposed();
        var isFound = _store.Read(new RecordKey(hash, key), destination, out var found) == RecordStatus.Found;
        length = found.Length;
        return isFound;
    }

    /// <summary>Reads the stamp of a record without its value.</summary>
    /// <param name="hash">The hash of the key.</param>
    /// <param name="key">The key.</param>
    /// <param name="stamp">The stamp.</param>
    /// <param name="valueBytes">The bytes of the value.</param>
    /// <returns>False: there is no record.</returns>
    public bool TryReadStamp(ulong hash, ReadOnlySpan<byte> key, out RecordStamp stamp, out int valueBytes)
    {
        _store.ThrowIfDisposed();
        Span<byte> head = stackalloc byte[RecordStamp.Bytes];
        if (_store.Peek(new RecordKey(hash, key), head, out var found) != RecordStatus.Found)
        {
            (stamp, valueBytes) = (default, 0);
            return false;
        }

        (stamp, valueBytes) = (RecordStamp.Read(head), found.Length - RecordStamp.Bytes);
        return true;
    }

    /// <summary>Stores a record in the place of the one that the key has.</summary>
    /// <param name="hash">The hash of the key.</param>
    /// <param name="key">The key, at most <see cref="KeyBytesMax"/> bytes.</param>
    /// <param name="stamp">The stamp.</param>
    /// <param name="value">The value, at most <see cref="ValueBytesMax"/> bytes.</param>
    /// <param name="replaced">The record that was there.</param>
    /// <returns>False: there was none.</returns>
    /// <exception cref="PileFullException">There is no room; nothing was changed.</exception>
    /// <exception cref="ArgumentException">Key or value is too long.</exception>
    public bool Put(
        ulong hash, ReadOnlySpan<byte> key, in RecordStamp stamp, ReadOnlySpan<byte> value,
        out ReplacedRecord replaced)
    {
        _store.ThrowIfDisposed();
        Span<byte> head = stackalloc byte[RecordStamp.Bytes];
        Span<byte> oldHead = stackalloc byte[RecordStamp.Bytes];
        var oldBytes = RecordStamp.Bytes;
        stamp.Write(head);
        var put = new RecordPut(new RecordKey(hash, key), default, value)
        {
            Head = head,
            OldHead = oldHead,
            OldValueBytes = new Span<int>(ref oldBytes),
        };
        var status = _store.Put(put);
        if (status == RecordStatus.Full)
            throw _store.Full(key.Length, put.ValueBytes);
        if (status == RecordStatus.TooLarge)
        {
            throw new ArgumentException(
                $"A record has at most {KeyBytesMax} bytes of key and {ValueBytesMax} of value; these are " +
                $"{key.Length} and {value.Length}.", nameof(value));
        }

        var isReplaced = status == RecordStatus.Replaced;
        replaced = isReplaced
            ? new ReplacedRecord(RecordStamp.Read(oldHead), oldBytes - RecordStamp.Bytes)
            : default;
        return isReplaced;
    }

    /// <summary>Replaces the stamp of a record. The value is neither copied nor moved, unless the memory of the pile
    /// survives the process.</summary>
    /// <param name="hash">The hash of the key.</param>
    /// <param name="key">The key.</param>
    /// <param name="stamp">The stamp.</param>
    /// <returns>False: there is no record.</returns>
    /// <exception cref="PileFullException">The record had to be written anew, and there is no room; nothing was
    /// changed.</exception>
    public bool SetStamp(ulong hash, ReadOnlySpan<byte> key, in RecordStamp stamp)
    {
        _store.ThrowIfDisposed();
        Span<byte> head = stackalloc byte[RecordStamp.Bytes];
        stamp.Write(head);
        var status = _store.SetHead(new RecordKey(hash, key), head);
        return status == RecordStatus.Full
            ? throw _store.Full(key.Length, RecordStamp.Bytes)
            : status == RecordStatus.Found;
    }

    /// <summary>Removes a record.</summary>
    /// <param name="hash">The hash of the key.</param>
    /// <param name="key">The key.</param>
    /// <returns>False: there is no record.</returns>
    public bool Remove(ulong hash, ReadOnlySpan<byte> key)
    {
        _store.ThrowIfDisposed();
        return _store.Remove(new RecordKey(hash, key)) == RecordStatus.Found;
    }

    /// <summary>Begins a walk over the keys whose hashes lie in a range. Only the top 24 bits of the range
    /// count.</summary>
    /// <param name="hashFirst">The lowest hash.</param>
    /// <param name="hashLast">The highest hash.</param>
    public static StampedScan BeginScan(ulong hashFirst, ulong hashLast) =>
        new(RecordStore.BeginScan(hashFirst, hashLast));

    /// <summary>Gives the next key of a walk. A key that has a record during the whole walk is given exactly once; one
    /// that is added or removed meanwhile may be given or not.</summary>
    /// <param name="scan">The walk.</param>
    /// <param name="key">The key; valid until the next call.</param>
    /// <returns>False: the walk has ended.</returns>
    public bool TryNext(StampedScan scan, out ReadOnlySpan<byte> key)
    {
        ArgumentNullException.ThrowIfNull(scan);
        _store.ThrowIfDisposed();
        return _store.TryNext(scan.Scan, out key);
    }

    /// <summary>Whether records of this size in all can be stored now. Others may take the room first.</summary>
    /// <param name="bytes">The bytes of keys, stamps and values.</param>
    public bool HasRoom(long bytes) => _store.HasRoom(bytes);
}
