namespace Cluster.Slim.Keys;

/// <summary>Counts the pairs of keys that share a bucket of a hashed collection. It stops at the key with which the
/// pairs cost more than the <see cref="KeyLedger"/> has left. Lives on the stack of one read or write.</summary>
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

    /// <summary>Begins with empty buckets. A null or unlimited ledger turns the counting off.</summary>
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

    /// <summary>Counts a key. Called before the collection gets the key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(TKey key)
    {
        if (_counts is { } counts)
            Add(counts, HashOf(key));
    }

    /// <summary>Adds the count to the ledger and returns the array to its pool. Not needed after an error: the garbage
    /// collector then takes the array.</summary>
    public readonly void End()
    {
        if (_counts is null)
            return;
        ArrayPool<int>.Shared.Return(_counts);
        _ledger!.Add(_collisions, _stepsOfPair);
    }

    // The runtime inlines the default comparer of a value type into the loop; it calls all other comparers.
    private readonly int HashOf(TKey key) => typeof(TKey).IsValueType && _isDefault
        ? EqualityComparer<TKey>.Default.GetHashCode(key!)
        : _comparer.GetHashCode(key!);

    // Kept out of the loop that counts, because the loop needs the registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int[] RentEmpty(int bucketCount)
    {
        var counts = ArrayPool<int>.Shared.Rent(bucketCount);
        Array.Clear(counts, 0, bucketCount);
        return counts;
    }

    private void Add(int[] counts, int hash)
    {
        // The remainder by two multiplications (Lemire), as the collection itself computes it. A division costs more
        // than all the rest. Exact for every divisor below 2^31.
        var bucket = (uint)((((_multiplier * (uint)hash) >> 32) + 1) * _bucketCount >> 32);
        _collisions += counts[bucket]++;
        if (_collisions > _limit)
            Stop();
    }

    // A writer must not stop here: it does not know its limit before the end of the message.
    private void Stop()
    {
        if (!_ledger!.IsWriting)
            _ledger.Add(_limit + 1, _stepsOfPair);
    }
}
