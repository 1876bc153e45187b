namespace Cluster.Testing.Caching;

/// <summary>A cache that evicts the least recently used entry. Not thread-safe.</summary>
public sealed class LruSimulator : ICacheSimulator
{
    private readonly Dictionary<long, LinkedListNode<long>> _nodes = [];
    private readonly LinkedList<long> _order = new();
    private readonly int _capacity;

    /// <summary>Makes an empty cache of this number of entries.</summary>
    public LruSimulator(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(capacity);
        _capacity = capacity;
    }

    /// <inheritdoc/>
    public bool Access(long key)
    {
        if (_nodes.TryGetValue(key, out var node))
        {
            _order.Remove(node);
            _order.AddFirst(node);
            return true;
        }

        if (_nodes.Count == _capacity)
        {
            var last = _order.Last!;
            _nodes.Remove(last.Value);
            _order.RemoveLast();
        }

        _nodes.Add(key, _order.AddFirst(key));
        return false;
    }
}
