using System.Collections.Specialized;
using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads a list of texts.</summary>
internal readonly struct StringCollectionCodec : ISequenceCodec<StringCollection, string?>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, StringCollection collection)
    {
    }

    public static StringCollection Create(SlimReader reader) => [];

    public static string?[] ItemsOf(StringCollection collection) => [.. collection.Cast<string?>()];

    public static void Fill(StringCollection collection, string?[] items)
    {
        foreach (var item in items)
            collection.Add(item);
    }
}
