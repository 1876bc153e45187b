using System.Collections.ObjectModel;
using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.ObjectModel;

/// <summary>Writes and reads a collection as its items. The list that a collection wraps is copied.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct CollectionCodec<T> : ISequenceCodec<Collection<T>, T>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, Collection<T> collection)
    {
    }

    public static Collection<T> Create(SlimReader reader) => [];

    public static T[] ItemsOf(Collection<T> collection) => [.. collection];

    public static void Fill(Collection<T> collection, T[] items)
    {
        foreach (var item in items)
            collection.Add(item);
    }
}
