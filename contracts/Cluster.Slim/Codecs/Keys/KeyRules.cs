using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Cluster.Slim.Codecs;

/// <summary>
/// What keeps hostile keys from costing more than their bytes: collisions are counted before a hashed collection is
/// filled, and failures of user code that hashes or compares become exceptions of ours. Stateless.
/// </summary>
/// <typeparam name="TKey">The key type.</typeparam>
internal static class KeyRules<TKey>
{
    private const int CollisionsPerKeyMax = 32;
    private const int CollisionsFreeMax = 8192;
    private const int PartsPerKeyMax = 64;
    private const int PartsFreeMax = 1024;

    // Below this count even total collision stays under the bound.
    private const int CountUnchecked = 128;

    /// <summary>The entries of a dictionary that is searched from its start, such as the data of
    /// exceptions.</summary>
    internal const int ListedEntriesMax = 1024;

    /// <summary>Whether hashing and comparing a key depends on nothing but the key's own bytes.</summary>
    internal static bool AreSimple { get; } =
        typeof(TKey) == typeof(string) || typeof(TKey).IsEnum
        || (!RuntimeHelpers.IsReferenceOrContainsReferences<TKey>() && Types.TypeRules.IsFramework(typeof(TKey))
            && FrameworkCodecs.FindFixedKind(typeof(TKey)) is not null);

    /// <summary>Whether a key can refer to an object of the message.</summary>
    internal static bool MayReachObjects { get; } = !AreSimple
        && ((!typeof(TKey).IsValueType && !typeof(TKey).IsSealed)
            || new Graph.ObjectParts().MayHoldObjects(typeof(TKey)));

    /// <summary>Refuses keys that collide too often: more than 32 n + 8,192 pairs share a bucket.</summary>
    internal static void CheckHashes(ReadOnlySpan<TKey> keys, IEqualityComparer<TKey> comparer, int buckets)
    {
        if (!ReferenceEquals(comparer, ReferenceEqualityComparer.Instance))
            CheckKeys(keys);
        CheckBuckets(keys, comparer, buckets);
    }

    /// <summary>
    /// Refuses keys that collide too often in a collection that grows while it is filled: in every size it goes
    /// through, as many keys as it then holds at most.
    /// </summary>
    /// <param name="keys">The keys in the order of filling.</param>
    /// <param name="comparer">The comparer of the collection.</param>
    /// <param name="sparseness">How many buckets for a key the collection may grow to.</param>
    internal static void CheckGrowth(ReadOnlySpan<TKey> keys, IEqualityComparer<TKey> comparer, int sparseness)
    {
        CheckKeys(keys);
        if (AreHarmless(keys.Length, comparer))
            return;
        foreach (int buckets in TableSizes.Grown)
        {
            CheckBuckets(keys[..Math.Min(buckets, keys.Length)], comparer, buckets);
            if (buckets >= (long)keys.Length * sparseness)
                break;
        }
    }

    private static void CheckBuckets(ReadOnlySpan<TKey> keys, IEqualityComparer<TKey> comparer, int buckets)
    {
        BucketCounts<TKey> counts = new(comparer, keys.Length, buckets);
        foreach (TKey key in keys)
            counts.Add(key);
        counts.GiveBack();
    }

    /// <summary>Whether so many keys cannot collide too often under the comparer, whatever they are.</summary>
    internal static bool AreHarmless(int count, IEqualityComparer<TKey> comparer) =>
        count <= CountUnchecked || IsSafeText(comparer);

    /// <summary>How many pairs of so many keys may share a bucket.</summary>
    internal static long CollisionsMaxOf(int count) => (CollisionsPerKeyMax * (long)count) + CollisionsFreeMax;

    internal static void ThrowCollisions(long collisions, long limit) => Throw.FormatLimit(
        "KeyCollisions", $"{collisions} collisions of keys are over the limit of {limit}.");

    /// <summary>Checks keys whose own code is about to hash or compare them: acyclic and not too deep.</summary>
    internal static void CheckKeys(ReadOnlySpan<TKey> keys)
    {
        if (AreSimple || !KeyGraph.CanBeCyclic(typeof(TKey)))
            return;
        KeyGraph graph = new();
        long parts = 0;
        foreach (TKey key in keys)
            parts += graph.Check(key);
        long limit = (PartsPerKeyMax * (long)keys.Length) + PartsFreeMax;
        if (parts > limit)
            Throw.FormatLimit("KeyParts", $"{parts} parts of keys are over the limit of {limit}.");
    }

    /// <summary>Refuses keys of which too many have equal hash codes, for collections that are trees of hash
    /// codes.</summary>
    internal static void CheckFullHashes(ReadOnlySpan<TKey> keys, IEqualityComparer<TKey> comparer)
    {
        CheckKeys(keys);
        if (keys.Length <= CountUnchecked)
            return;
        Dictionary<int, int> counts = [];
        long collisions = 0;
        foreach (TKey key in keys)
        {
            ref int count = ref CollectionsMarshal.GetValueRefOrAddDefault(counts, comparer.GetHashCode(key!), out _);
            collisions += count++;
        }

        long limit = CollisionsMaxOf(keys.Length);
        if (collisions > limit)
            ThrowCollisions(collisions, limit);
    }

    /// <summary>Runs a fill whose hashing or comparing may be user code.</summary>
    internal static void Guard<TCollection, TContent>(
        TCollection collection, TContent content, Action<TCollection, TContent> fill)
    {
        Build((collection, content, fill), static s =>
        {
            s.fill(s.collection, s.content);
            return true;
        });
    }

    /// <summary>Builds something from keys whose hashing or comparing may be user code.</summary>
    internal static TResult Build<TState, TResult>(TState state, Func<TState, TResult> build)
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

    // The framework switches to randomized hashing for these by itself.
    private static bool IsSafeText(IEqualityComparer<TKey> comparer) =>
        typeof(TKey) == typeof(string)
        && (ReferenceEquals(comparer, EqualityComparer<TKey>.Default)
            || ReferenceEquals(comparer, StringComparer.Ordinal)
            || ReferenceEquals(comparer, StringComparer.OrdinalIgnoreCase));
}
