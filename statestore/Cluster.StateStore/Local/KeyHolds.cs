namespace Cluster.StateStore.Local;

/// <summary>The keys of a partition that running writes hold, and the writes that wait for them, first come first
/// served. Keys are known by their tags; two keys with one tag merely wait for each other. Not thread-safe: the
/// partition's lock protects it.</summary>
internal sealed class KeyHolds
{
    /// <summary>The most writes that may wait for one key.</summary>
    public const int WaitersMax = 1_024;

    private readonly Dictionary<uint, Queue<KeyWaiter>?> _held = [];

    public int Count => _held.Count;

    public bool IsHeld(uint tag) => _held.Count != 0 && _held.ContainsKey(tag);

    /// <summary>Holds the key at once, or queues a waiter. False without a waiter: too many wait already.</summary>
    public bool TryHold(uint tag, out KeyWaiter? waiter)
    {
        waiter = null;
        if (_held.TryAdd(tag, null))
            return true;
        var queue = _held[tag] ??= new Queue<KeyWaiter>();
        if (queue.Count >= WaitersMax)
            return false;
        waiter = new KeyWaiter();
        queue.Enqueue(waiter);
        return false;
    }

    /// <summary>Ends a hold; the key passes to the first waiter whose time is not over.</summary>
    public void Release(uint tag)
    {
        if (_held[tag] is { } queue)
        {
            while (queue.TryDequeue(out var waiter))
            {
                if (waiter.TryGrant())
                    return;
            }
        }

        _held.Remove(tag);
    }

    /// <summary>Refuses all waiters. The holds stay until they are released.</summary>
    public void RefuseWaiters()
    {
        foreach (var queue in _held.Values)
        {
            while (queue is not null && queue.TryDequeue(out var waiter))
                waiter.TryRefuse();
        }
    }
}
