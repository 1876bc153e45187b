using System.Collections.ObjectModel;
using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.ObjectModel;

/// <summary>Writes and reads an observable collection. Its subscribers do not travel.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal readonly struct ObservableCollectionCodec<T> : ISequenceCodec<ObservableCollection<T>, T>
{
    public static bool IsKeyed => false;

    public static void WriteHead(SlimWriter writer, ObservableCollection<T> collection)
    {
    }

    public static ObservableCollection<T> Create(SlimReader reader) => [];

    public static T[] ItemsOf(ObservableCollection<T> collection) => [.. collection];

    public static void Fill(ObservableCollection<T> collection, T[] items)
    {
        foreach (var item in items)
            collection.Add(item);
    }
}
