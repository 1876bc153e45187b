using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>A linked list, first item first.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct LinkedListCodec<T> : ISequenceCodec<LinkedList<T>, T>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, LinkedList<T> collection)
    {
    }

    public static LinkedList<T> Create(SlimReader reader) => new();

    public static T[] ItemsOf(LinkedList<T> collection) => [.. collection];

    public static void Fill(LinkedList<T> collection, T[] items)
    {
        foreach (var item in items)
            collection.AddLast(item);
    }
}
