using Cluster.Slim.Errors;

namespace Cluster.Slim.Keys;

/// <summary>What keeps hostile keys from costing more than their bytes: what hashing and comparing them will cost is
/// counted before a collection is filled, and failures of user code that hashes or compares become exceptions of ours.
/// Writers count the same, so that what is written can be read. Stateless.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
internal static class KeyRules<TKey>
{
    // Below this count even total collision costs no more than the bytes of the keys.
    private const int CountUnchecked = 128;

    // A collection hashes a key when its work is counted and when it is filled, and compares it when it is found.
    private const int TouchCount = 3;

    /// <summary>Whether hashing and comparing a key depends on nothing but the key's own bytes.</summary>
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

    /// <summary>Counts the work of a collection that is made for as many keys as it gets.</summary>
    /// <param name="ledger">Where to count.</param>
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

    /// <summary>Counts the work of a collection that grows while it is filled: in every size it goes through, with as
    /// many keys as it then holds at most.</summary>
    /// <param name="ledger">Where to count.</param>
    /// <param name="keys">The keys in the order of filling.</param>
    /// <param name="comparer">The comparer of the collection.</param>
    /// <param name="sparseness">How many buckets for a key the collection may grow to.</param>
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

    /// <summary>Counts the work of a collection that is a tree of hash codes.</summary>
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

    /// <summary>Counts the work of a collection in which every key goes down a tree, or is moved by sorting.</summary>
    public static void ChargeSorted(KeyLedger ledger, ReadOnlySpan<TKey> keys)
    {
        var cost = ChargeKeys(ledger, keys);
        ledger.Add(cost, BitOperations.Log2((uint)keys.Length + 1));
    }

    /// <summary>Counts the work of a collection that is searched from its start.</summary>
    public static void ChargeSearched(KeyLedger ledger, ReadOnlySpan<TKey> keys)
    {
        var cost = ChargeKeys(ledger, keys);
        ledger.Add(cost, keys.Length);
    }

    /// <summary>The counter of a collection that is filled key by key.</summary>
    public static BucketCounts<TKey> BeginBuckets(
        KeyLedger ledger, IEqualityComparer<TKey> comparer, int count, int buckets) =>
        new(AreHarmless(count, comparer) ? null : ledger, comparer, buckets);

    /// <summary>Counts the worst for a writer without looking at the keys, if that much is allowed.</summary>
    public static bool TryForesee(KeyLedger ledger, int count, IEqualityComparer<TKey> comparer) =>
        AreSimple && IsForeseen(ledger, count, comparer, cost: 0, passes: 1);

    /// <summary>Whether so many keys cannot collide too often under the comparer, whatever they are.</summary>
    public static bool AreHarmless(int count, IEqualityComparer<TKey> comparer) =>
        (AreSimple && count <= CountUnchecked) || IsSafeText(comparer);

    /// <summary>Runs a fill whose hashing or comparing may be user code.</summary>
    public static void Guard<TState>(TState state, Action<TState> fill)
    {
        Build((state, fill), static s =>
        {
            s.fill(s.state);
            return true;
        });
    }

    /// <summary>Builds something from keys whose hashing or comparing may be user code.</summary>
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

    // Checks keys whose own code is about to hash or compare them: acyclic and not too deep. Returns what one touch of
    // all of them costs. Keys that were not read before cost no more than their bytes.
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

    // Counting collisions takes a writer as long as writing the keys, so it is left out where the worst is allowed.
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

    // The framework switches to randomized hashing for these by itself.
    private static bool IsSafeText(IEqualityComparer<TKey> comparer) =>
        typeof(TKey) == typeof(string)
        && (ReferenceEquals(comparer, EqualityComparer<TKey>.Default)
            || ReferenceEquals(comparer, StringComparer.Ordinal)
            || ReferenceEquals(comparer, StringComparer.OrdinalIgnoreCase));
}
