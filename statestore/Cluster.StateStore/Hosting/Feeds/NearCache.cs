using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Hosting.Feeds;

/// <summary>Values of one state that this process has read from other nodes. A value is used while the watch of its
/// partition has confirmed within two seconds that it is told of all changes, and until it is told of one.
/// Thread-safe.</summary>
internal sealed class NearCache : IFeedReader, IAsyncDisposable
{
    /// <summary>How old a value may be.</summary>
    public static readonly TimeSpan AgeMax = TimeSpan.FromSeconds(2);

    private readonly FeedSource _source;
    private readonly NearEntries _entries;
    private readonly long[] _confirmedAt;
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
        _entries = new NearEntries(state.Name, bytes, source.Hash.PartitionCount);
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
        return IsConfirmed(index) && _entries.TryRead(key, index, out version, out value);
    }

    /// <summary>Notes what is known before a value is read from its owner; null: it cannot be kept.</summary>
    public NearFill? Begin(in HashedKey key, int index) => IsConfirmed(index) ? _entries.Look(key.Hash, index) : null;

    /// <summary>Marks a key before its value is read.</summary>
    public NearMark Mark(in HashedKey key, int index) =>
        Begin(key, index) is { } known ? new NearMark(this, known, key.Hash) : default;

    /// <summary>Whether a value that was read with this knowledge may still be used.</summary>
    public bool IsValid(ulong keyHash, in NearFill known, long now) =>
        IsConfirmed(known.Index, now) && _entries.IsUnchanged(keyHash, known);

    /// <summary>Keeps a value that was read from its owner, unless it may have changed since.</summary>
    public void Fill(in HashedKey key, in NearFill known, long version, ReadOnlySpan<byte> value) =>
        _entries.Fill(key, known, version, value);

    /// <summary>Forgets a value that this process has written.</summary>
    public void Forget(in HashedKey key) => _entries.Drop(key.Bytes, key.Hash);

    /// <inheritdoc />
    public async ValueTask DisposeAsync()
    {
        await _feed.DisposeAsync().ConfigureAwait(false);
        _entries.Dispose();
    }

    void IFeedReader.Begun(int index) => _entries.DropAll(index);

    void IFeedReader.Changed(in FeedChange change)
    {
        var key = change.Key.ToArray();
        _entries.Drop(key, _source.Hash.Hash(key));
    }

    void IFeedReader.Confirmed(int index, long at) => Volatile.Write(ref _confirmedAt[index], at);

    ValueTask IFeedReader.DrainAsync(CancellationToken cancellationToken) => default;

    private bool IsConfirmed(int index) => IsConfirmed(index, _source.Now);

    private bool IsConfirmed(int index, long now) => now - Volatile.Read(ref _confirmedAt[index]) <= AgeMax.Ticks;
}
