namespace Cluster.Testing.Caching;

/// <summary>The S3-FIFO policy over single entries. A new key enters a small queue, which has a tenth of the capacity.
/// A key that was accessed there more than once moves to the main queue. A key that leaves the small queue without that
/// is remembered, and enters the main queue if it comes back. The main queue gives each entry one more round for each
/// access, at most three. The number of remembered keys is at most the capacity. Not thread-safe.</summary>
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

    // A key that came back and left again has a new number, so its older place in the order no longer counts.
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
