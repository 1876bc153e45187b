using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>Writes and reads a priority queue with its comparer. The items are in heap order; the fill adds them with
/// one call, which keeps that order.</summary>
/// <typeparam name="TElement">The item type.</typeparam>
/// <typeparam name="TPriority">The priority type.</typeparam>
internal readonly struct PriorityQueueCodec<TElement, TPriority>
    : ISequenceCodec<PriorityQueue<TElement, TPriority>, (TElement Element, TPriority Priority)>
{
    public static bool IsKeyed => true;

    public static object? ComparerOf(PriorityQueue<TElement, TPriority> collection) => collection.Comparer;

    public static void WriteHead(SlimWriter writer, PriorityQueue<TElement, TPriority> collection) =>
        Comparers.Write(writer, collection.Comparer);

    public static PriorityQueue<TElement, TPriority> Create(SlimReader reader) =>
        new(Comparers.ReadOrder<TPriority>(reader));

    public static (TElement Element, TPriority Priority)[] ItemsOf(PriorityQueue<TElement, TPriority> collection) =>
        [.. collection.UnorderedItems];

    public static void ChargeKeys(
        KeyLedger ledger,
        PriorityQueue<TElement, TPriority> collection,
        (TElement Element, TPriority Priority)[] items) =>
        KeyRules<TPriority>.ChargeSorted(ledger, Array.ConvertAll(items, static item => item.Priority));

    public static void Fill(
        PriorityQueue<TElement, TPriority> collection, (TElement Element, TPriority Priority)[] items)
    {
        collection.Clear();
        collection.EnqueueRange(items);
    }
}
