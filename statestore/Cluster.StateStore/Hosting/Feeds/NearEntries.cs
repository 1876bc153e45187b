using Cluster.Pile;
using Cluster.Pile.Caching;
using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Hosting.Feeds;

/// <summary>Values of one state in native memory, with two counters that tell whether a value may have changed since a
/// moment: one for each partition, and one for each stripe of keys. Thread-safe.</summary>
internal sealed class NearEntries : IDisposable
{
    private const int HeaderBytes = sizeof(int) + sizeof(long);

    // A change of a key forbids to keep what was read before of any key with the same stripe.
    private const int Stripes = 1_024;

    private readonly LocalPile _pile;
    private readonly CacheTable<byte[], byte[]> _entries;
    private readonly int[] _generations;
    private readonly int[] _stripes = new int[Stripes];

    /// <summary>Makes an empty table.</summary>
    /// <param name="name">Its name in the pile.</param>
    /// <param name="bytes">How much memory it may take.</param>
    /// <param name="partitionCount">The number of partitions of the state.</param>
    public NearEntries(string name, long bytes, int partitionCount)
    {
        _generations = new int[partitionCount];
        _pile = new LocalPile(new PileOptions { BudgetBytes = bytes });
        _entries = new PileCache(_pile).GetOrCreateTable<byte[], byte[]>(
            name, new CacheTableOptions { Kind = CacheTableKind.Evicting });
    }

    /// <summary>Runs before each change of the table, so that a test can read at that moment.</summary>
    public Action? BeforeStep { get; set; }

    /// <summary>How many values there are.</summary>
    public long Count => _entries.Count;

    /// <summary>The counters of a key now.</summary>
    public NearFill Look(ulong keyHash, int index) =>
        new(index, Volatile.Read(ref _generations[index]), Volatile.Read(ref _stripes[StripeOf(keyHash)]));

    /// <summary>Whether nothing was told of the key since its counters were looked at.</summary>
    public bool IsUnchanged(ulong keyHash, in NearFill known) => Look(keyHash, known.Index) == known;

    /// <summary>Finds a value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="index">The number of its partition within the set.</param>
    /// <param name="version">Its version.</param>
    /// <param name="value">Its bytes.</param>
    public bool TryRead(in HashedKey key, int index, out long version, out ReadOnlyMemory<byte> value)
    {
        (version, value) = (0, default);
        if (!_entries.TryGet(key.Bytes, out var entry))
            return false;
        if (BinaryPrimitives.ReadInt32LittleEndian(entry) != Volatile.Read(ref _generations[index]))
            return false;
        version = BinaryPrimitives.ReadInt64LittleEndian(entry.AsSpan(sizeof(int)));
        value = entry.AsMemory(HeaderBytes);
        return true;
    }

    /// <summary>Keeps a value that was read from its owner, unless it may have changed since.</summary>
    public void Fill(in HashedKey key, in NearFill known, long version, ReadOnlySpan<byte> value)
    {
        if (!IsUnchanged(key.Hash, known))
            return;
        var entry = new byte[HeaderBytes + value.Length];
        BinaryPrimitives.WriteInt32LittleEndian(entry, known.Generation);
        BinaryPrimitives.WriteInt64LittleEndian(entry.AsSpan(sizeof(int)), version);
        value.CopyTo(entry.AsSpan(HeaderBytes));
        BeforeStep?.Invoke();
        _entries.Put(key.Bytes, entry);
        if (!IsUnchanged(key.Hash, known))
            Drop(key.Bytes, key.Hash);
    }

    /// <summary>Forgets a value. The first step keeps a value from being filled in that was read before the change. The
    /// last one ends marks that were taken before the value was gone here, also where a late fill had put it back for a
    /// moment.</summary>
    public void Drop(byte[] key, ulong hash)
    {
        ref var stripe = ref _stripes[StripeOf(hash)];
        Interlocked.Increment(ref stripe);
        BeforeStep?.Invoke();
        _entries.Remove(key);
        Interlocked.Increment(ref stripe);
    }

    /// <summary>Forgets all values of a partition.</summary>
    public void DropAll(int index) => Interlocked.Increment(ref _generations[index]);

    /// <inheritdoc />
    public void Dispose() => _pile.Dispose();

    private static int StripeOf(ulong hash) => (int)(hash % Stripes);
}
