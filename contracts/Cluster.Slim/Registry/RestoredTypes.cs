using Cluster.Slim.Hosting;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Registry;

/// <summary>The types of messages from an earlier process, by their integers there: their layouts in those messages,
/// and the types of this program with their names. Immutable.</summary>
internal sealed class RestoredTypes
{
    private readonly Entry[] _entries;
    private readonly Dictionary<string, Type> _types = new(StringComparer.Ordinal);

    public RestoredTypes(IReadOnlyList<SlimTypeRecord> records)
    {
        _entries = [.. records.Select(static record => new Entry(record.Layout.ToArray()))];
        for (var i = 0; i < _entries.Length; i++)
        {
            if (records[i].Type is { } type)
                _types.TryAdd(_entries[i].Name, type);
        }
    }

    /// <summary>The type of this program for a name of that time; null if there is none.</summary>
    public Type? Find(string name) => _types.GetValueOrDefault(name);

    /// <summary>The layout of the integer; null when the table does not have it.</summary>
    public DescribedType? Describe(uint number) => number < (uint)_entries.Length
        ? new DescribedType(_entries[number].Fingerprint, _entries[number].Layout)
        : null;

    /// <summary>Whether the layout of the integer has one of the fingerprints.</summary>
    public bool IsOf(int number, ulong today, ulong[] past) =>
        _entries[number].Fingerprint == today || past.Contains(_entries[number].Fingerprint);

    /// <summary>The type of one integer of the earlier process.</summary>
    private sealed class Entry(byte[] layout)
    {
        public byte[] Layout => layout;

        public string Name { get; } = LayoutDecoder.NameOf(layout);

        public ulong Fingerprint { get; } = XxHash3.Hash(layout);
    }
}
