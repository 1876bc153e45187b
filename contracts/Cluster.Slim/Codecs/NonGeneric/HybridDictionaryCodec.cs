using System.Collections.Specialized;
using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads a dictionary that is a list while it is small: whether it ignores case, and its
/// entries.</summary>
internal sealed class HybridDictionaryCodec : IMapCodec<HybridDictionary, object, object?>
{
    public void DescribeHead(StepList steps) => steps.Bytes(1);

    public void WriteHead(SlimWriter writer, HybridDictionary map) =>
        writer.WriteByte(HiddenSettings.IsCaseIgnoredBy(map) ? (byte)1 : (byte)0);

    public HybridDictionary Create(SlimReader reader)
    {
        var ignoresCase = reader.ReadByte();
        if (ignoresCase > 1)
            Throw.Malformed("The case rule of a dictionary is neither 0 nor 1.");
        return new HybridDictionary(ignoresCase == 1);
    }

    public KeyValuePair<object, object?>[] EntriesOf(HybridDictionary map) => DictionaryEntries.Of(map);

    public void ChargeKeys(KeyLedger ledger, HybridDictionary map, object[] keys) => KeyRules<object>.ChargeTree(
        ledger,
        keys,
        DictionaryEntries.KeyComparer(
            HiddenSettings.IsCaseIgnoredBy(map) ? StringComparer.OrdinalIgnoreCase : null));

    public void Fill(HybridDictionary map, Entries<object, object?> entries)
    {
        map.Clear();
        DictionaryEntries.AddAll(map, entries);
    }
}
