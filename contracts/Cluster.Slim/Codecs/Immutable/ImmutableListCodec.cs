using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>An immutable list.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal sealed class ImmutableListCodec<T> : IImmutableCodec<ImmutableList<T>, T>
{
    public bool IsKeyed => false;

    public void WriteComparer(SlimWriter writer, ImmutableList<T> collection)
    {
    }

    public IEnumerable<T> ItemsOf(ImmutableList<T> collection) => collection;

    public bool Finds(ImmutableList<T> collection, T item) => true;

    public Func<T[], ImmutableList<T>> ReadBuilder(SlimReader reader, out object? own)
    {
        own = null;
        return ImmutableList.Create;
    }
}
