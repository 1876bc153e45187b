using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>An immutable queue, first item first.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal sealed class ImmutableQueueCodec<T> : IImmutableCodec<ImmutableQueue<T>, T>
{
    public bool IsKeyed => false;

    public void WriteComparer(SlimWriter writer, ImmutableQueue<T> collection)
    {
    }

    public IEnumerable<T> ItemsOf(ImmutableQueue<T> collection) => collection;

    public Func<T[], ImmutableQueue<T>> ReadBuilder(SlimReader reader, out object? own)
    {
        own = null;
        return ImmutableQueue.Create;
    }

    public bool Finds(ImmutableQueue<T> collection, T item) => true;
}
