using System.Dynamic;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>Writes and reads an expando object. The object finds a member by linear search, so the number of members is
/// limited.</summary>
internal sealed class ExpandoCodec : IMapCodec<ExpandoObject, string, object?>
{
    public void WriteHead(SlimWriter writer, ExpandoObject map)
    {
    }

    public ExpandoObject Create(SlimReader reader) => new();

    public KeyValuePair<string, object?>[] EntriesOf(ExpandoObject map) =>
        [.. map];

    public void ChargeKeys(KeyLedger ledger, ExpandoObject map, string[] keys) =>
        ledger.CheckSearched(keys.Length);

    public void Fill(ExpandoObject map, Entries<string, object?> entries)
    {
        for (var i = 0; i < entries.Count; i++)
        {
            if (!TryAdd(map, entries.Keys[i], entries.Values[i]))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }
    }

    private static bool TryAdd(ExpandoObject map, string key, object? value) => map.TryAdd(key, value);
}
