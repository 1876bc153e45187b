using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads a queue of objects, first item first.</summary>
internal readonly struct ObjectQueueCodec : ISequenceCodec<Queue, object?>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, Queue collection)
    {
    }

    public static Queue Create(SlimReader reader) => new();

    public static object?[] ItemsOf(Queue collection) => collection.ToArray();

    public static void Fill(Queue collection, object?[] items)
    {
        foreach (var item in items)
            collection.Enqueue(item);
    }
}
