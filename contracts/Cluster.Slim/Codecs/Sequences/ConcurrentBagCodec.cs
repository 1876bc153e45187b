using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>Writes and reads a concurrent bag. The items are written in reverse, so that adding them restores the
/// order.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct ConcurrentBagCodec<T> : ISequenceCodec<ConcurrentBag<T>, T>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, ConcurrentBag<T> collection)
    {
    }

    public static ConcurrentBag<T> Create(SlimReader reader) => new();

    public static T[] ItemsOf(ConcurrentBag<T> collection)
    {
        var items = collection.ToArray();
        Array.Reverse(items);
        return items;
    }

    public static void Fill(ConcurrentBag<T> collection, T[] items)
    {
        foreach (var item in items)
            collection.Add(item);
    }
}
