using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>Takes one kind of immutable collection apart and builds it.</summary>
/// <typeparam name="TCollection">The collection type.</typeparam>
/// <typeparam name="T">The item type; a pair for dictionaries.</typeparam>
internal interface IImmutableCodec<TCollection, T>
{
    /// <summary>Whether the build hashes or compares keys that may still be incomplete then.</summary>
    bool IsKeyed { get; }

    /// <summary>Whether a key can refer to an object, so that the key's hash or order may depend on that
    /// object.</summary>
    bool MayReachObjects => false;

    /// <summary>The part of an item that the build hashes or compares.</summary>
    object? KeyOf(T item) => item;

    /// <summary>The comparer of keys, if it is an object of the graph; else null.</summary>
    object? OwnComparerOf(TCollection collection) => null;

    /// <summary>The number of comparers: 0, 1 for keys, or 2 for keys and values.</summary>
    int ComparerCount => 0;

    /// <summary>Counts the keys that the build hashes and compares. Refuses keys whose own code would not
    /// end.</summary>
    void ChargeKeys(KeyLedger ledger, TCollection collection, T[] items)
    {
    }

    void WriteComparer(SlimWriter writer, TCollection collection);

    IEnumerable<T> ItemsOf(TCollection collection);

    /// <summary>Reads the comparers and returns the function that builds the collection from its items.</summary>
    /// <param name="reader">The source.</param>
    /// <param name="own">The comparer of keys if it is an object of the graph, which may still be incomplete; else
    /// null.</param>
    Func<T[], TCollection> ReadBuilder(SlimReader reader, out object? own);

    /// <summary>Whether the collection finds the item. Called when the graph is complete.</summary>
    bool Finds(TCollection collection, T item);
}
