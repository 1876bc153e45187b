using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>An immutable sorted set with its comparer.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal sealed class ImmutableSortedSetCodec<T> : IImmutableCodec<ImmutableSortedSet<T>, T>
{
    public bool IsKeyed => !KeyRules<T>.AreSimple;

    public bool MayReachObjects => KeyRules<T>.MayReachObjects;

    public object? OwnComparerOf(ImmutableSortedSet<T> collection) =>
        Comparers.OwnOrNull(collection.KeyComparer);

    public int ComparerCount => 1;

    public void ChargeKeys(KeyLedger ledger, ImmutableSortedSet<T> collection, T[] items) =>
        KeyRules<T>.ChargeSorted(ledger, items);

    public void WriteComparer(SlimWriter writer, ImmutableSortedSet<T> collection) =>
        Comparers.WriteWhole(writer, collection.KeyComparer);

    public IEnumerable<T> ItemsOf(ImmutableSortedSet<T> collection) => collection;

    public Func<T[], ImmutableSortedSet<T>> ReadBuilder(SlimReader reader, out object? own)
    {
        var comparer = Comparers.ReadWholeOrder<T>(reader, out own);
        return items =>
        {
            KeyRules<T>.ChargeSorted(reader.Keys, items);
            var built = ImmutableSortedSet.Create(comparer, items);
            if (built.Count != items.Length)
                Throw.Malformed("An item occurs twice in a set.");
            return built;
        };
    }

    public bool Finds(ImmutableSortedSet<T> collection, T item) => collection.Contains(item);
}
