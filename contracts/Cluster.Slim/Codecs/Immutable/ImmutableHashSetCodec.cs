using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>An immutable hash set with its comparer.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal sealed class ImmutableHashSetCodec<T> : IImmutableCodec<ImmutableHashSet<T>, T>
{
    public bool IsKeyed => !KeyRules<T>.AreSimple;

    public bool MayReachObjects => KeyRules<T>.MayReachObjects;

    public object? OwnComparerOf(ImmutableHashSet<T> collection) =>
        Comparers.OwnOrNull(collection.KeyComparer);

    public int ComparerCount => 1;

    public void ChargeKeys(KeyLedger ledger, ImmutableHashSet<T> collection, T[] items) =>
        KeyRules<T>.ChargeTree(ledger, items, collection.KeyComparer);

    public void WriteComparer(SlimWriter writer, ImmutableHashSet<T> collection)
    {
        Comparers.WriteWhole(writer, collection.KeyComparer);
    }

    public IEnumerable<T> ItemsOf(ImmutableHashSet<T> collection) => collection;

    public bool Finds(ImmutableHashSet<T> collection, T item) => collection.Contains(item);

    public Func<T[], ImmutableHashSet<T>> ReadBuilder(SlimReader reader, out object? own)
    {
        var comparer = Comparers.ReadWholeEquality<T>(reader, out own);
        return items =>
        {
            KeyRules<T>.ChargeTree(reader.Keys, items, comparer);
            var built = ImmutableHashSet.Create(comparer, items);
            if (built.Count != items.Length)
                Throw.Malformed("An item occurs twice in a set.");
            return built;
        };
    }
}
