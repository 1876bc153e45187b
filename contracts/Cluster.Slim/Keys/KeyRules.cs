using Cluster.Slim.Errors;

namespace Cluster.Slim.Keys;

/// <summary>Keeps hostile keys from costing more than their bytes allow. Before a collection is filled, these methods
/// count the cost of hashing and comparing its keys. Writers count the same cost, so that what they write can be read.
/// Errors of user code that hashes or compares become exceptions of Slim. Stateless.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
internal static class KeyRules<TKey>
{
    // If fewer keys than this all collide, the cost is still covered by the bytes of the keys.
    private const int CountUnchecked = 128;

    // A key is hashed when its work is counted and when the collection is filled, and compared when it is found.
    private const int TouchCount = 3;

    /// <summary>Whether the hash and order of a key depend only on the key's own bytes.</summary>
    public static bool AreSimple { get; } =
        typeof(TKey) == typeof(string) || typeof(TKey).IsEnum
        || (!RuntimeHelpers.IsReferenceOrContainsReferences<TKey>() && Types.TypeRules.IsFramework(typeof(TKey))
            && Types.FrameworkForms.IsFixed(typeof(TKey)));

    /// <summary>Whether a key can refer to an object of the message.</summary>
    public static bool MayReachObjects { get; } = !AreSimple
        && ((!typeof(TKey).IsValueType && !typeof(TKey).IsSealed)
            || new Graph.ObjectParts().MayHoldObjects(typeof(TKey)));

    private static bool CanBeCyclic { get; } = !AreSimple && KeyShape.CanBeCyclic(typeof(TKey));

    private static bool CanBeShared { get; } = !AreSimple && KeyShape.CanBeShared(typeof(TKey));

    /// <summary>Counts the work for a collection that is created with room for all its keys.</summary>
    /// <param name="ledger">Counts the steps.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="comparer">The comparer of the collection.</param>
    public static void ChargeHashed(KeyLedger ledger, ReadOnlySpan<TKey> keys, IEqualityComparer<TKey> comparer)
    {
        if (ReferenceEquals(comparer, ReferenceEqualityComparer.Instance))
            return;
        var cost = ChargeKeys(ledger, keys);
        if (!IsForeseen(ledger, keys.Length, comparer, cost, passes: 1))
            ChargeBuckets(ledger, keys, comparer, cost, TableSizes.For(keys.Length));
    }

    /// <summary>Counts the work for a collection that grows while it is filled: for each size on the way, with the most
    /// keys that the collection holds at that size.</summary>
    /// <param name="ledger">Counts the steps.</param>
    /// <param name="keys">The keys in the order of filling.</param>
    /// <param name="comparer">The comparer of the collection.</param>
    /// <param name="sparseness">The greatest number of buckets for each key to which the collection may grow.</param>
    public static void ChargeGrowth(
        KeyLedger ledger, ReadOnlySpan<TKey> keys, IEqualityComparer<TKey> comparer, int sparseness)
    {
        var cost = ChargeKeys(ledger, keys);
        if (IsForeseen(ledger, keys.Length, comparer, cost, passes: TableSizes.Grown.Length))
            return;
        foreach (var buckets in TableSizes.Grown)
        {
            ChargeBuckets(ledger, keys[..Math.Min(buckets, keys.Length)], comparer, cost, buckets);
            if (buckets >= (long)keys.Length * sparseness)
                break;
        }
    }

    /// <summary>Counts the work for a collection that finds keys by hash code in a tree.</summary>
    public static void ChargeTree(KeyLedger ledger, ReadOnlySpan<TKey> keys, IEqualityComparer<TKey> comparer)
    {
        var cost = ChargeKeys(ledger, keys);
        if (keys.Length <= CountUnchecked || IsForeseen(ledger, keys.Length, comparer, cost, passes: 1))
            return;
        Dictionary<int, int> counts = [];
        long collisions = 0;
        foreach (var key in keys)
        {
            ref var count = ref CollectionsMarshal.GetValueRefOrAddDefault(counts, comparer.GetHashCode(key!), out _);
            collisions += count++;
        }

        ChargeCollisions(ledger, collisions, keys.Length, cost);
    }

    /// <summary>Counts the work for a collection that finds keys by order in a tree, or sorts them.</summary>
    public static void ChargeSorted(KeyLedger ledger, ReadOnlySpan<TKey> keys)
    {
        var cost = ChargeKeys(ledger, keys);
        ledger.Add(cost, BitOperations.Log2((uint)keys.Length + 1));
    }

    /// <summary>Counts the work for a collection that searches all its keys from the first one.</summary>
    public static void ChargeSearched(KeyLedger ledger, ReadOnlySpan<TKey> keys)
    {
        var cost = ChargeKeys(ledger, keys);
        ledger.Add(cost, keys.Length);
    }

    /// <summary>Returns a counter for a collection that is filled key by key.</summary>
    public static BucketCounts<TKey> BeginBuckets(
        KeyLedger ledger, IEqualityComparer<TKey> comparer, int count, int buckets) =>
        new(AreHarmless(count, comparer) ? null : ledger, comparer, buckets);

    /// <summary>Counts the worst case for a writer without reading the keys, if the limit has room for it; else returns
    /// false.</summary>
    public static bool TryForesee(KeyLedger ledger, int count, IEqualityComparer<TKey> comparer) =>
        AreSimple && IsForeseen(ledger, count, comparer, cost: 0, passes: 1);

    /// <summary>Whether no choice of this many keys can collide too often under the comparer.</summary>
    public static bool AreHarmless(int count, IEqualityComparer<TKey> comparer) =>
        (AreSimple && count <= CountUnchecked) || IsSafeText(comparer);

    /// <summary>Runs a fill; its hashing or comparing may be user code, whose errors become exceptions of
    /// Slim.</summary>
    public static void Guard<TState>(TState state, Action<TState> fill)
    {
        Build((state, fill), static s =>
        {
            s.fill(s.state);
            return true;
        });
    }

    /// <summary>Builds a result from keys; hashing or comparing them may be user code, whose errors become exceptions
    /// of Slim.</summary>
    public static TResult Build<TState, TResult>(TState state, Func<TState, TResult> build)
    {
        try
        {
            return build(state);
        }
        catch (Exception e) when (e is not SlimException and not OutOfMemoryException)
        {
            throw Throw.Failed($"Hashing or comparing a key of type {typeof(TKey)} failed.", e);
        }
    }

    // Checks keys that their own code will hash or compare: no key may contain itself or be too deep. Returns the cost
    // of touching all keys once. A key that only one collection holds costs no more than its bytes.
    private static long ChargeKeys(KeyLedger ledger, ReadOnlySpan<TKey> keys)
    {
        if (!CanBeCyclic && !(CanBeShared && ledger.HasReferences))
            return 0;
        long cost = 0;
        foreach (var key in keys)
            cost = Math.Min(KeyLedger.StepsMax, cost + ledger.CostOf(key, ledger.HasReferences));
        ledger.Add(cost, TouchCount);
        return cost;
    }

    // For a writer, counting collisions takes as long as writing the keys. So the writer counts the worst case instead,
    // if the limit has room for it.
    private static bool IsForeseen(
        KeyLedger ledger, int count, IEqualityComparer<TKey> comparer, long cost, int passes)
    {
        if (AreHarmless(count, comparer) || count == 0)
            return true;
        var worst = (long)Math.Min(
            long.MaxValue / 2, passes * (count * (count - 1.0) / 2) * StepsOfPair(count, cost));
        if (!ledger.IsWriting || !ledger.HasRoomFor(worst))
            return false;
        ledger.Add(worst);
        return true;
    }

    private static void ChargeBuckets(
        KeyLedger ledger, ReadOnlySpan<TKey> keys, IEqualityComparer<TKey> comparer, long cost, int buckets)
    {
        BucketCounts<TKey> counts = new(ledger, comparer, buckets, StepsOfPair(keys.Length, cost));
        foreach (var key in keys)
            counts.Add(key);
        counts.End();
    }

    private static void ChargeCollisions(KeyLedger ledger, long collisions, int count, long cost) =>
        ledger.Add(collisions, StepsOfPair(count, cost));

    private static long StepsOfPair(int count, long cost) =>
        KeyLedger.NeighbourSteps + (count == 0 ? 0 : cost / count);

    // With these comparers, the framework itself switches to randomized hash codes when keys collide.
    private static bool IsSafeText(IEqualityComparer<TKey> comparer) =>
        typeof(TKey) == typeof(string)
        && (ReferenceEquals(comparer, EqualityComparer<TKey>.Default)
            || ReferenceEquals(comparer, StringComparer.Ordinal)
            || ReferenceEquals(comparer, StringComparer.OrdinalIgnoreCase));
}
