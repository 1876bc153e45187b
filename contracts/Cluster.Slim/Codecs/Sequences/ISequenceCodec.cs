using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>Takes the items out of one kind of collection and puts them back.</summary>
/// <typeparam name="TCollection">The collection type.</typeparam>
/// <typeparam name="T">The item type.</typeparam>
internal interface ISequenceCodec<TCollection, T>
{
    /// <summary>Whether the fill hashes or compares items, so that it must wait until the items are complete.</summary>
    static abstract bool IsKeyed { get; }

    /// <summary>The comparer; null if the collection has none.</summary>
    static virtual object? ComparerOf(TCollection collection) => null;

    /// <summary>Describes what the head holds in addition to a comparer.</summary>
    static virtual void DescribeHead(StepList steps)
    {
    }

    static abstract void WriteHead(SlimWriter writer, TCollection collection);

    static abstract TCollection Create(SlimReader reader);

    /// <summary>Copies the settings that the head gave <paramref name="created"/> to the collection part of a derived
    /// object.</summary>
    static virtual void CopySettings(TCollection created, TCollection shell)
    {
    }

    /// <summary>The items, in the order in which <see cref="Fill"/> takes them.</summary>
    static abstract T[] ItemsOf(TCollection collection);

    /// <summary>Counts the keys that the fill will hash and compare. Refuses keys whose own code would not
    /// end.</summary>
    static virtual void ChargeKeys(KeyLedger ledger, TCollection collection, T[] items)
    {
    }

    static abstract void Fill(TCollection collection, T[] items);
}
