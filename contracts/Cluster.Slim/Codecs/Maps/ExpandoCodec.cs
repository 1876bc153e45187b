using System.Dynamic;

namespace Cluster.Slim.Codecs;

/// <summary>A dynamic object. It searches its members one by one, so their number is limited.</summary>
internal sealed class ExpandoCodec : IMapCodec<ExpandoObject, string, object?>
{
    public void WriteHead(SlimWriter writer, ExpandoObject map)
    {
        if (((ICollection<KeyValuePair<string, object?>>)map).Count > KeyRules<string>.ListedEntriesMax)
            throw Throw.NotSupported(typeof(ExpandoObject), "it has more members than can be searched one by one.");
    }

    public ExpandoObject Create(SlimReader reader) => new();

    public KeyValuePair<string, object?>[] EntriesOf(ExpandoObject map) =>
        [.. map];

    public void Fill(ExpandoObject map, Entries<string, object?> entries)
    {
        if (entries.Count > KeyRules<string>.ListedEntriesMax)
            Throw.FormatLimit("ExpandoMembers", $"{entries.Count} members of a dynamic object are over the limit.");
        for (int i = 0; i < entries.Count; i++)
        {
            if (!TryAdd(map, entries.Keys[i], entries.Values[i]))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }
    }

    private static bool TryAdd(ExpandoObject map, string key, object? value) => map.TryAdd(key, value);
}
