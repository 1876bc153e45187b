using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>An immutable stack, bottom item first.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal sealed class ImmutableStackCodec<T> : IImmutableCodec<ImmutableStack<T>, T>
{
    public bool IsKeyed => false;

    public void WriteComparer(SlimWriter writer, ImmutableStack<T> collection)
    {
    }

    public IEnumerable<T> ItemsOf(ImmutableStack<T> collection) => collection.Reverse();

    public Func<T[], ImmutableStack<T>> ReadBuilder(SlimReader reader, out object? own)
    {
        own = null;
        return ImmutableStack.Create;
    }

    public bool Finds(ImmutableStack<T> collection, T item) => true;
}
