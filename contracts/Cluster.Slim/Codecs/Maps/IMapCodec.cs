using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>Takes the entries out of one kind of dictionary and puts them back.</summary>
/// <typeparam name="TMap">The dictionary type.</typeparam>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal interface IMapCodec<TMap, TKey, TValue>
{
    /// <summary>The comparer; null if the dictionary has none.</summary>
    object? ComparerOf(TMap map) => null;

    /// <summary>Describes what the head holds in addition to a comparer.</summary>
    void DescribeHead(StepList steps)
    {
    }

    void WriteHead(SlimWriter writer, TMap map);

    TMap Create(SlimReader reader);

    KeyValuePair<TKey, TValue>[] EntriesOf(TMap map);

    /// <summary>Counts the keys that the fill will hash and compare. Refuses keys whose own code would not
    /// end.</summary>
    void ChargeKeys(KeyLedger ledger, TMap map, TKey[] keys);

    void Fill(TMap map, Entries<TKey, TValue> entries);
}
