using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>How one kind of collection gives its items and takes them back, through public API only.</summary>
/// <typeparam name="TCollection">The collection type.</typeparam>
/// <typeparam name="T">The item type.</typeparam>
internal interface ISequenceCodec<TCollection, T>
{
    /// <summary>Whether filling hashes or compares items, so that it has to wait until they are complete.</summary>
    static abstract bool IsKeyed { get; }

    /// <summary>The comparer, if the collection has one.</summary>
    static virtual object? ComparerOf(TCollection collection) => null;

    /// <summary>What the head holds beside a comparer.</summary>
    static virtual void DescribeHead(StepList steps)
    {
    }

    static abstract void WriteHead(SlimWriter writer, TCollection collection);

    static abstract TCollection Create(SlimReader reader);

    /// <summary>Gives the collection part of a derived object the settings that the head told.</summary>
    static virtual void CopySettings(TCollection created, TCollection shell)
    {
    }

    /// <summary>The items in the order in which filling needs them.</summary>
    static abstract T[] ItemsOf(TCollection collection);

    /// <summary>Counts what filling will hash and compare, and refuses keys whose own code would not end.</summary>
    static virtual void ChargeKeys(KeyLedger ledger, TCollection collection, T[] items)
    {
    }

    static abstract void Fill(TCollection collection, T[] items);
}
