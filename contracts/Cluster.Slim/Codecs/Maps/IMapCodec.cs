using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>How one kind of dictionary gives its entries and takes them back, through public API only.</summary>
/// <typeparam name="TMap">The dictionary type.</typeparam>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal interface IMapCodec<TMap, TKey, TValue>
{
    /// <summary>The comparer, if the dictionary has one.</summary>
    object? ComparerOf(TMap map) => null;

    /// <summary>What the head holds beside a comparer.</summary>
    void DescribeHead(StepList steps)
    {
    }

    void WriteHead(SlimWriter writer, TMap map);

    TMap Create(SlimReader reader);

    KeyValuePair<TKey, TValue>[] EntriesOf(TMap map);

    /// <summary>Counts what filling will hash and compare, and refuses keys whose own code would not end.</summary>
    void ChargeKeys(KeyLedger ledger, TMap map, TKey[] keys);

    void Fill(TMap map, Entries<TKey, TValue> entries);
}
