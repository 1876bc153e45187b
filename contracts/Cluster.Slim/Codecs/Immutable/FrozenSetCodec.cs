using System.Collections.Frozen;
using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>A frozen set with its comparer.</summary>
/// <typeparam name="T">The item type.</typeparam>
internal sealed class FrozenSetCodec<T> : IImmutableCodec<FrozenSet<T>, T>
{
    public bool IsKeyed => !KeyRules<T>.AreSimple;

    public bool MayReachObjects => KeyRules<T>.MayReachObjects;

    public object? OwnComparerOf(FrozenSet<T> collection) =>
        Comparers.OwnOrNull(collection.Comparer);

    public int ComparerCount => 1;

    public void ChargeKeys(KeyLedger ledger, FrozenSet<T> collection, T[] items)
    {
        KeyRules<T>.ChargeTree(ledger, items, collection.Comparer);
        KeyRules<T>.ChargeHashed(ledger, items, collection.Comparer);
    }

    public void WriteComparer(SlimWriter writer, FrozenSet<T> collection) =>
        Comparers.WriteWhole(writer, collection.Comparer);

    public IEnumerable<T> ItemsOf(FrozenSet<T> collection) => collection;

    public Func<T[], FrozenSet<T>> ReadBuilder(SlimReader reader, out object? own)
    {
        var comparer = Comparers.ReadWholeEquality<T>(reader, out own);
        return items =>
        {
            KeyRules<T>.ChargeTree(reader.Keys, items, comparer);
            KeyRules<T>.ChargeHashed(reader.Keys, items, comparer);
            HashSet<T> set = new(comparer);
            HashSetCodec<T>.Fill(set, items);
            return set.ToFrozenSet(comparer);
        };
    }

    public bool Finds(FrozenSet<T> collection, T item) => collection.Contains(item);
}
