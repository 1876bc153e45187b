using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads a stack of objects, bottom item first.</summary>
internal readonly struct ObjectStackCodec : ISequenceCodec<Stack, object?>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, Stack collection)
    {
    }

    public static Stack Create(SlimReader reader) => new();

    public static object?[] ItemsOf(Stack collection)
    {
        var items = collection.ToArray();
        Array.Reverse(items);
        return items;
    }

    public static void Fill(Stack collection, object?[] items)
    {
        foreach (var item in items)
            collection.Push(item);
    }
}
