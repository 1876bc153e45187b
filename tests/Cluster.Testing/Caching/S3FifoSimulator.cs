namespace Cluster.Testing.Caching;

/// <summary>The S3-FIFO policy over single entries: new keys pass a small queue of a tenth of the capacity; those asked
/// for more than once there, and those remembered from an earlier stay, come into the main queue, which gives each
/// entry as many more rounds as it was asked for, three at most. As many keys as the cache has entries are remembered
/// after they left the small queue. Not thread-safe.</summary>
public sealed class S3FifoSimulator : ICacheSimulator
{
    private const int FrequencyMax = 3;
    private const int PromotionFrequency = 2;
    private const int SmallShare = 10;

    private readonly Dictionary<long, byte> _frequencies = [];
    private readonly Queue<long> _small = new();
    private readonly Queue<long> _main = new();
    private readonly Dictionary<long, long> _ghosts = [];
    private readonly Queue<(long Key, long Number)> _ghostOrder = new();
    private readonly int _capacity;
    private readonly int _smallCapacity;
    private long _ghostNumberLast;

    /// <summary>Makes an empty cache of this number of entries.</summary>
    public S3FifoSimulator(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(capacity);
        _capacity = capacity;
        _smallCapacity = Math.Max(1, capacity / SmallShare);
    }

    /// <inheritdoc/>
    public bool Access(long key)
    {
        if (_frequencies.TryGetValue(key, out var frequency))
        {
            _frequencies[key] = Math.Min((byte)(frequency + 1), (byte)FrequencyMax);
            return true;
        }

        while (_frequencies.Count >= _capacity)
            Evict();

        (_ghosts.Remove(key) ? _main : _small).Enqueue(key);
        _frequencies.Add(key, 0);
        return false;
    }

    private void Evict()
    {
        if (_small.Count >= _smallCapacity || _main.Count == 0)
            EvictFromSmall();
        else
            EvictFromMain();
    }

    private void EvictFromSmall()
    {
        var key = _small.Dequeue();
        if (_frequencies[key] >= PromotionFrequency)
        {
            _frequencies[key] = 0;
            _main.Enqueue(key);
            return;
        }

        _frequencies.Remove(key);
        Remember(key);
    }

    private void EvictFromMain()
    {
        var key = _main.Dequeue();
        if (_frequencies[key] == 0)
        {
            _frequencies.Remove(key);
            return;
        }

        _frequencies[key]--;
        _main.Enqueue(key);
    }

    // A key that came back and left again has a younger number; its older place in the order counts no longer.
    private void Remember(long key)
    {
        _ghosts[key] = ++_ghostNumberLast;
        _ghostOrder.Enqueue((key, _ghostNumberLast));
        while (_ghostOrder.Count > _capacity)
        {
            var (oldest, number) = _ghostOrder.Dequeue();
            if (_ghosts.TryGetValue(oldest, out var current) && current == number)
                _ghosts.Remove(oldest);
        }
    }
}
