namespace Cluster.Slim.Keys;

/// <summary>Counts the pairs of keys that share a bucket of a hashed collection, and stops at the key with which they
/// cost more than is left, see <see cref="KeyLedger"/>. Lives on the stack of one read or write.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
internal ref struct BucketCounts<TKey>
{
    private readonly IEqualityComparer<TKey> _comparer;
    private readonly KeyLedger? _ledger;
    private readonly bool _isDefault;
    private readonly int[]? _counts;
    private readonly uint _bucketCount;
    private readonly ulong _multiplier;
    private readonly long _stepsOfPair;
    private readonly long _limit;
    private long _collisions;

    /// <summary>Begins with empty buckets. Without a ledger nothing is counted.</summary>
    public BucketCounts(
        KeyLedger? ledger,
        IEqualityComparer<TKey> comparer,
        int bucketCount,
        long stepsOfPair = KeyLedger.NeighbourSteps)
    {
        _comparer = comparer;
        if (ledger is null || ledger.IsUnlimited)
            return;
        _ledger = ledger;
        _isDefault = ReferenceEquals(comparer, EqualityComparer<TKey>.Default);
        _counts = RentEmpty(bucketCount);
        _bucketCount = (uint)bucketCount;
        _multiplier = (ulong.MaxValue / _bucketCount) + 1;
        _stepsOfPair = stepsOfPair;
        _limit = ledger.Room / stepsOfPair;
    }

    /// <summary>Counts a key before the collection gets it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(TKey key)
    {
        if (_counts is { } counts)
            Add(counts, HashOf(key));
    }

    /// <summary>Hands on what was counted and gives the memory back. Not needed after a failure: what is not given back
    /// is collected.</summary>
    public readonly void End()
    {
        if (_counts is null)
            return;
        ArrayPool<int>.Shared.Return(_counts);
        _ledger!.Add(_collisions, _stepsOfPair);
    }

    // The runtime compiles the default comparer of a value type into the loop; others are called.
    private readonly int HashOf(TKey key) => typeof(TKey).IsValueType && _isDefault
        ? EqualityComparer<TKey>.Default.GetHashCode(key!)
        : _comparer.GetHashCode(key!);

    // Not part of the loop that counts, which needs the registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int[] RentEmpty(int bucketCount)
    {
        var counts = ArrayPool<int>.Shared.Rent(bucketCount);
        Array.Clear(counts, 0, bucketCount);
        return counts;
    }

    private void Add(int[] counts, int hash)
    {
        // The remainder by two multiplications (Lemire), as the collection itself takes it: a division costs more than
        // the rest together. Exact for every divisor below 2^31.
        var bucket = (uint)((((_multiplier * (uint)hash) >> 32) + 1) * _bucketCount >> 32);
        _collisions += counts[bucket]++;
        if (_collisions > _limit)
            Stop();
    }

    // A writer goes on: it learns the length of its message only at the end.
    private void Stop()
    {
        if (!_ledger!.IsWriting)
            _ledger.Add(_limit + 1, _stepsOfPair);
    }
}
