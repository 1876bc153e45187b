using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>How one kind of immutable collection is taken apart and built.</summary>
/// <typeparam name="TCollection">The collection type.</typeparam>
/// <typeparam name="T">The item type; a pair for dictionaries.</typeparam>
internal interface IImmutableCodec<TCollection, T>
{
    /// <summary>Whether building hashes or compares content whose own parts may still be incomplete.</summary>
    bool IsKeyed { get; }

    /// <summary>Whether a key can refer to an object, so that its hash or order may depend on it.</summary>
    bool MayReachObjects => false;

    /// <summary>What building hashes or compares of an item.</summary>
    object? KeyOf(T item) => item;

    /// <summary>The comparer of keys if it is an object of the graph.</summary>
    object? OwnComparerOf(TCollection collection) => null;

    /// <summary>How many comparers the collection has: none, that of keys, or that of values as well.</summary>
    int ComparerCount => 0;

    /// <summary>Counts what building hashes and compares, and refuses keys whose own code would not end.</summary>
    void ChargeKeys(KeyLedger ledger, TCollection collection, T[] items)
    {
    }

    void WriteComparer(SlimWriter writer, TCollection collection);

    IEnumerable<T> ItemsOf(TCollection collection);

    /// <summary>Reads the comparer and returns what builds the collection from its items.</summary>
    /// <param name="reader">The source.</param>
    /// <param name="own">The comparer if it is an object of the graph, which may still be incomplete.</param>
    Func<T[], TCollection> ReadBuilder(SlimReader reader, out object? own);

    /// <summary>Whether the collection finds the item, now that everything is complete.</summary>
    bool Finds(TCollection collection, T item);
}
