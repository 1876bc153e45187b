using Cluster.StateStore.Hosting;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>Entries of the cluster as objects, where all readers of this process may share the value. One is used while
/// nobody has told of a change of the entry or of its tags. The near cache has all entries as bytes, so this table
/// forgets all of its own when it is full, and no lookup pays for an order among them. Thread-safe.</summary>
/// <param name="options">How much memory it may take.</param>
/// <param name="serializer">Measures values.</param>
internal sealed class SharedEntries(ClusterHybridCacheOptions options, EntrySerializer serializer)
{
    // About what the table and the entry take beside key and value.
    private const int OverheadBytes = 400;

    private volatile Table _table = new();

    /// <summary>Finds an entry that counts.</summary>
    public HybridEntry? Find(string key) =>
        _table.Entries.TryGetValue(key, out var found) && NearMark.AreValid(found.Marks, found.Life)
            ? found.Content
            : null;

    /// <summary>Keeps an entry that counts, and whose value readers may share.</summary>
    /// <param name="key">The key.</param>
    /// <param name="content">The entry.</param>
    /// <param name="marks">The marks of the key and of all tags, from before they were read.</param>
    /// <param name="life">For how long it is used at most.</param>
    public void Keep(string key, HybridEntry content, NearMark[] marks, TimeSpan life)
    {
        var entry = new Entry(content, marks, life, OverheadBytes + (sizeof(char) * key.Length) + BytesOf(content));
        var table = _table;
        var before = table.Entries.TryGetValue(key, out var replaced) ? replaced.Bytes : 0;
        table.Entries[key] = entry;
        if (Interlocked.Add(ref table.Bytes, entry.Bytes - before) > options.NearCacheBytes)
            _table = new Table();
    }

    private long BytesOf(HybridEntry entry) =>
        entry.Value is string text ? sizeof(char) * (long)text.Length : serializer.ToBytes(entry).Length;

    /// <summary>All entries since the table was full last.</summary>
    private sealed class Table
    {
        public ConcurrentDictionary<string, Entry> Entries { get; } = new();

        /// <summary>What all entries take, in bytes.</summary>
        public long Bytes;
    }

    /// <summary>An entry with what says whether it still counts. Immutable.</summary>
    private sealed record Entry(HybridEntry Content, NearMark[] Marks, TimeSpan Life, long Bytes);
}
