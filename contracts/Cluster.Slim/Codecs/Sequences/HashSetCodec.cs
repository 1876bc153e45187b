using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>A hash set with its comparer, in enumeration order.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct HashSetCodec<T> : ISequenceCodec<HashSet<T>, T>
{
    public static bool IsKeyed => true;

    public static object? ComparerOf(HashSet<T> collection) => collection.Comparer;

    public static void WriteHead(SlimWriter writer, HashSet<T> collection) =>
        Comparers.Write(writer, collection.Comparer);

    public static HashSet<T> Create(SlimReader reader) => new(Comparers.ReadEquality<T>(reader));

    public static T[] ItemsOf(HashSet<T> collection) => [.. collection];

    public static void ChargeKeys(KeyLedger ledger, HashSet<T> collection, T[] items) =>
        KeyRules<T>.ChargeHashed(ledger, items, collection.Comparer);

    public static void Fill(HashSet<T> collection, T[] items)
    {
        collection.Clear();
        collection.EnsureCapacity(items.Length);
        foreach (var item in items)
        {
            if (!collection.Add(item))
                Throw.Malformed("An item occurs twice in a set.");
        }
    }
}
