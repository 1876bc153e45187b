using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>The uncommitted entries of a primary by key and by request. A demotion throws them away. Used under the
/// shard's lock.</summary>
internal sealed class Heads
{
    private readonly Dictionary<StateKey, LogEntry> _byKey = [];
    private readonly Dictionary<(Guid Client, long Sequence), EntryId> _byRequest = [];

    /// <summary>Whether a key has an uncommitted entry.</summary>
    public bool Has(in StateKey key) => _byKey.Count > 0 && _byKey.ContainsKey(key);

    /// <summary>Finds the newest uncommitted entry of a key.</summary>
    public bool TryFind(in StateKey key, out LogEntry entry)
    {
        entry = default;
        return _byKey.Count > 0 && _byKey.TryGetValue(key, out entry);
    }

    /// <summary>Finds the uncommitted entry of a request.</summary>
    public bool TryFind(in RequestId request, out EntryId at) =>
        _byRequest.TryGetValue((request.Client, request.Sequence), out at);

    /// <summary>Adds an entry whose memory is the log's.</summary>
    public void Add(in LogEntry entry)
    {
        if (entry.Kind != EntryKind.Remember)
        {
            // The key of an older entry must not stay: its memory goes with that entry.
            _byKey.Remove(entry.Key);
            _byKey.Add(entry.Key, entry);
        }

        if (entry.Request is { } request)
            _byRequest[(request.Client, request.Sequence)] = entry.Id;
    }

    /// <summary>Removes an entry that is committed now.</summary>
    public void Committed(in LogEntry entry)
    {
        if (entry.Kind != EntryKind.Remember && TryFind(entry.Key, out var newest) && newest.Id == entry.Id)
            _byKey.Remove(entry.Key);
        if (entry.Request is { } request)
            _byRequest.Remove((request.Client, request.Sequence));
    }

    public void Clear()
    {
        _byKey.Clear();
        _byRequest.Clear();
    }
}
