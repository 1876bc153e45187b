using Cluster.Pile;
using Cluster.Pile.Caching;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Hosting.Feeds;

/// <summary>Values of one state that this process has read from other nodes, in native memory. An entry is used while
/// the watch of its partition has confirmed within two seconds that it is told of all changes, and until it is told of
/// one. Thread-safe.</summary>
internal sealed class NearCache : IFeedReader, IAsyncDisposable
{
    /// <summary>How old a value may be.</summary>
    public static readonly TimeSpan AgeMax = TimeSpan.FromSeconds(2);

    private const int HeaderBytes = sizeof(int) + sizeof(long);

    // A change of a key forbids to keep what was read before of any key with the same stripe.
    private const int Stripes = 1_024;

    private readonly FeedSource _source;
    private readonly LocalPile _pile;
    private readonly CacheTable<byte[], byte[]> _entries;
    private readonly long[] _confirmedAt;
    private readonly int[] _generations;
    private readonly int[] _stripes = new int[Stripes];
    private readonly FeedClient _feed;

    /// <summary>Makes an empty cache, which begins to watch.</summary>
    /// <param name="source">Where the nodes are found.</param>
    /// <param name="state">The state.</param>
    /// <param name="bytes">How much memory it may take.</param>
    public NearCache(FeedSource source, StateDefinition state, long bytes)
    {
        _source = source;
        _confirmedAt = new long[source.Hash.PartitionCount];
        Array.Fill(_confirmedAt, long.MinValue / 2);
        _generations = new int[source.Hash.PartitionCount];
        _pile = new LocalPile(new PileOptions { BudgetBytes = bytes });
        _entries = new PileCache(_pile).GetOrCreateTable<byte[], byte[]>(
            state.Name, new CacheTableOptions { Kind = CacheTableKind.Evicting });
        _feed = new FeedClient(source, state, withValues: false, this);
    }

    /// <summary>How many values it has.</summary>
    public long Count => _entries.Count;

    /// <summary>The own monotonic clock, in ticks.</summary>
    public long Now => _source.Now;

    /// <summary>Finds a value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="index">The number of its partition within the set.</param>
    /// <param name="version">Its version.</param>
    /// <param name="value">Its bytes.</param>
    public bool TryRead(in HashedKey key, int index, out long version, out ReadOnlyMemory<byte> value)
    {
        (version, value) = (0, default);
        if (!IsConfirmed(index) || !_entries.TryGet(key.Bytes, out var entry))
            return false;
        if (BinaryPrimitives.ReadInt32LittleEndian(entry) != Volatile.Read(ref _generations[index]))
            return false;
        version = BinaryPrimitives.ReadInt64LittleEndian(entry.AsSpan(sizeof(int)));
        value = entry.AsMemory(HeaderBytes);
        return true;
    }

    /// <summary>Notes what is known before a value is read from its owner; null: it cannot be kept.</summary>
    public NearFill? Begin(in HashedKey key, int index) => IsConfirmed(index)
        ? new NearFill(index, Volatile.Read(ref _generations[index]), Volatile.Read(ref _stripes[StripeOf(key.Hash)]))
        : null;

    /// <summary>Marks a key before its value is read.</summary>
    public NearMark Mark(in HashedKey key, int index) =>
        Begin(key, index) is { } known ? new NearMark(this, known, key.Hash) : default;

    /// <summary>Whether a value that was read with this knowledge may still be used.</summary>
    public bool IsValid(ulong keyHash, in NearFill known, long now) =>
        IsConfirmed(known.Index, now) && IsUnchanged(keyHash, known);

    /// <summary>Keeps a value that was read from its owner, unless it may have changed since.</summary>
    public void Fill(in HashedKey key, in NearFill known, long version, ReadOnlySpan<byte> value)
    {
        if (!IsUnchanged(key.Hash, known))
            return;
        var entry = new byte[HeaderBytes + value.Length];
        BinaryPrimitives.WriteInt32LittleEndian(entry, known.Generation);
        BinaryPrimitives.WriteInt64LittleEndian(entry.AsSpan(sizeof(int)), version);
        value.CopyTo(entry.AsSpan(HeaderBytes));
        _entries.Put(key.Bytes, entry);
        if (!IsUnchanged(key.Hash, known))
            Drop(key.Bytes, key.Hash);
    }

    /// <summary>Forgets a value that this process has written.</summary>
    public void Forget(in HashedKey key) => Drop(key.Bytes, key.Hash);

    /// <inheritdoc />
    public async ValueTask DisposeAsync()
    {
        await _feed.DisposeAsync().ConfigureAwait(false);
        _pile.Dispose();
    }

    void IFeedReader.Begun(int index) => Interlocked.Increment(ref _generations[index]);

    void IFeedReader.Changed(in FeedChange change)
    {
        var key = change.Key.ToArray();
        Drop(key, _source.Hash.Hash(key));
    }

    void IFeedReader.Confirmed(int index, long at) => Volatile.Write(ref _confirmedAt[index], at);

    ValueTask IFeedReader.DrainAsync(CancellationToken cancellationToken) => default;

    // The first step keeps a value from being filled in that was read before the change. The last one ends marks that
    // were taken before the value was gone here, also where a late fill had put it back for a moment.
    private void Drop(byte[] key, ulong hash)
    {
        ref var stripe = ref _stripes[StripeOf(hash)];
        Interlocked.Increment(ref stripe);
        _entries.Remove(key);
        Interlocked.Increment(ref stripe);
    }

    private static int StripeOf(ulong hash) => (int)(hash % Stripes);

    private bool IsConfirmed(int index) => IsConfirmed(index, _source.Now);

    private bool IsConfirmed(int index, long now) => now - Volatile.Read(ref _confirmedAt[index]) <= AgeMax.Ticks;

    private bool IsUnchanged(ulong keyHash, in NearFill known) =>
        Volatile.Read(ref _generations[known.Index]) == known.Generation
        && Volatile.Read(ref _stripes[StripeOf(keyHash)]) == known.Stripe;
}
