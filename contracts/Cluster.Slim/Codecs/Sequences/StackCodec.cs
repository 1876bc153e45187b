using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>A stack, bottom item first.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct StackCodec<T> : ISequenceCodec<Stack<T>, T>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, Stack<T> collection)
    {
    }

    public static Stack<T> Create(SlimReader reader) => new();

    public static T[] ItemsOf(Stack<T> collection)
    {
        var items = collection.ToArray();
        Array.Reverse(items);
        return items;
    }

    public static void Fill(Stack<T> collection, T[] items)
    {
        collection.EnsureCapacity(items.Length);
        foreach (var item in items)
            collection.Push(item);
    }
}
