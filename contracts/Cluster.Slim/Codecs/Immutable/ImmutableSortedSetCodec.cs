using System.Collections.Immutable;

namespace Cluster.Slim.Codecs;

/// <summary>An immutable sorted set with its comparer.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal sealed class ImmutableSortedSetCodec<T> : IImmutableCodec<ImmutableSortedSet<T>, T>
{
    public bool HasComparer => true;

    public bool IsKeyed => !KeyRules<T>.AreSimple;

    public void WriteComparer(SlimWriter writer, ImmutableSortedSet<T> collection) =>
        Comparers.Write(writer, collection.KeyComparer, typeof(ImmutableSortedSet<T>));

    public IEnumerable<T> ItemsOf(ImmutableSortedSet<T> collection) => collection;

    public Func<T[], ImmutableSortedSet<T>> ReadBuilder(SlimReader reader)
    {
        IComparer<T> comparer = Comparers.ReadOrder<T>(reader);
        return items =>
        {
            KeyRules<T>.CheckKeys(items);
            ImmutableSortedSet<T> built = ImmutableSortedSet.Create(comparer, items);
            if (built.Count != items.Length)
                Throw.Malformed("An item occurs twice in a set.");
            return built;
        };
    }

    public bool Finds(ImmutableSortedSet<T> collection, T item) => collection.Contains(item);
}
