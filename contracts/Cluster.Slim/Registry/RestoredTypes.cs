using Cluster.Slim.Hosting;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Registry;

/// <summary>The types of messages from an earlier process, by the integers that they had there: how they lie in those
/// messages, and what their names mean in this program. Immutable.</summary>
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

    /// <summary>What a name of that time means here; null if nothing.</summary>
    public Type? Find(string name) => _types.GetValueOrDefault(name);

    /// <summary>How messages with the integer lie; null when the table does not have it.</summary>
    public DescribedType? Describe(uint number) => number < (uint)_entries.Length
        ? new DescribedType(_entries[number].Fingerprint, _entries[number].Layout)
        : null;

    /// <summary>Whether messages with the integer lie as those of a type with one of the fingerprints.</summary>
    public bool IsOf(int number, ulong today, ulong[] past) =>
        _entries[number].Fingerprint == today || past.Contains(_entries[number].Fingerprint);

    /// <summary>What one integer of the earlier process stood for.</summary>
    private sealed class Entry(byte[] layout)
    {
        public byte[] Layout => layout;

        public string Name { get; } = LayoutDecoder.NameOf(layout);

        public ulong Fingerprint { get; } = XxHash3.Hash(layout);
    }
}
