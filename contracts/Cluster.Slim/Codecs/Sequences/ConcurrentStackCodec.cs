using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>A concurrent stack, bottom item first.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct ConcurrentStackCodec<T> : ISequenceCodec<ConcurrentStack<T>, T>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, ConcurrentStack<T> collection)
    {
    }

    public static ConcurrentStack<T> Create(SlimReader reader) => new();

    public static T[] ItemsOf(ConcurrentStack<T> collection)
    {
        var items = collection.ToArray();
        Array.Reverse(items);
        return items;
    }

    public static void Fill(ConcurrentStack<T> collection, T[] items) => collection.PushRange(items);
}
