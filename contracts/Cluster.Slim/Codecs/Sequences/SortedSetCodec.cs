using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>A sorted set with its comparer, in order.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct SortedSetCodec<T> : ISequenceCodec<SortedSet<T>, T>
{
    public static bool IsKeyed => true;

    public static object? ComparerOf(SortedSet<T> collection) => collection.Comparer;

    public static void WriteHead(SlimWriter writer, SortedSet<T> collection) =>
        Comparers.Write(writer, collection.Comparer);

    public static SortedSet<T> Create(SlimReader reader) => new(Comparers.ReadOrder<T>(reader));

    public static T[] ItemsOf(SortedSet<T> collection) => [.. collection];

    public static void ChargeKeys(KeyLedger ledger, SortedSet<T> collection, T[] items) =>
        KeyRules<T>.ChargeSorted(ledger, items);

    public static void Fill(SortedSet<T> collection, T[] items)
    {
        collection.Clear();
        foreach (var item in items)
        {
            if (!collection.Add(item))
                Throw.Malformed("An item occurs twice in a set.");
        }
    }
}
