using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads a list of objects.</summary>
internal readonly struct ArrayListCodec : ISequenceCodec<ArrayList, object?>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, ArrayList collection)
    {
    }

    public static ArrayList Create(SlimReader reader) => [];

    public static object?[] ItemsOf(ArrayList collection) => collection.ToArray();

    public static void Fill(ArrayList collection, object?[] items) => collection.AddRange(items);
}
