using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>A concurrent queue, first item first.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct ConcurrentQueueCodec<T> : ISequenceCodec<ConcurrentQueue<T>, T>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, ConcurrentQueue<T> collection)
    {
    }

    public static ConcurrentQueue<T> Create(SlimReader reader) => new();

    public static T[] ItemsOf(ConcurrentQueue<T> collection) => collection.ToArray();

    public static void Fill(ConcurrentQueue<T> collection, T[] items)
    {
        foreach (var item in items)
            collection.Enqueue(item);
    }
}
