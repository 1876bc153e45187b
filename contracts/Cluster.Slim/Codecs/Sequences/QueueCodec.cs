using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>A queue, first item first.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct QueueCodec<T> : ISequenceCodec<Queue<T>, T>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, Queue<T> collection)
    {
    }

    public static Queue<T> Create(SlimReader reader) => new();

    public static T[] ItemsOf(Queue<T> collection) => collection.ToArray();

    public static void Fill(Queue<T> collection, T[] items)
    {
        collection.EnsureCapacity(items.Length);
        foreach (var item in items)
            collection.Enqueue(item);
    }
}
