using Cluster.Slim.Types;

namespace Cluster.Slim.Layouts;

/// <summary>Writes the description of a type: its layout, and the layouts of all types whose values its places can hold
/// without a description in the message. The types keep the order in which they are found, so a rename does not change
/// the order. Used once.</summary>
/// <param name="past">The names to write instead of today's names; null: today's.</param>
internal sealed class LayoutEncoder(PastNames? past)
{
    private readonly List<TypeLayout> _entries = [];
    private readonly Dictionary<TypeLayout, int> _indexes = new(ReferenceEqualityComparer.Instance);

    public byte[] Encode(TypeLayout layout)
    {
        using MemoryStream stream = new();
        using BinaryWriter writer = new(stream, Encoding.UTF8);
        _entries.Add(layout);
        _indexes.Add(layout, 0);
        for (var i = 0; i < _entries.Count; i++)
            WriteEntry(writer, _entries[i], i == 0 || !_entries[i].IsOpen);
        writer.Flush();
        return stream.ToArray();
    }

    // A place of an open type needs only the name of that type: its objects name their own types.
    private void WriteEntry(BinaryWriter writer, TypeLayout layout, bool isWhole)
    {
        writer.Write(TypeNames.Of(layout.Type!, past));
        writer.Write((byte)(isWhole ? layout.Traits : layout.Traits & ~LayoutTraits.HasBody));
        WriteBases(writer, isWhole ? layout.Bases.Length : 0, layout.Type!);
        var fields = isWhole ? layout.Fields : [];
        writer.Write7BitEncodedInt(fields.Length);
        foreach (var field in fields)
        {
            writer.Write(field.Name);
            writer.Write7BitEncodedInt(field.Level);
            WriteReference(writer, field.Type);
        }

        WriteSteps(writer, isWhole ? layout.Creation : []);
        WriteSteps(writer, isWhole ? layout.Body : []);
    }

    private void WriteBases(BinaryWriter writer, int count, Type type)
    {
        writer.Write7BitEncodedInt(count);
        for (var i = 0; i < count; i++)
            writer.Write(TypeNames.Of(type = type.BaseType!, past));
    }

    private void WriteSteps(BinaryWriter writer, LayoutStep[] steps)
    {
        writer.Write7BitEncodedInt(steps.Length);
        foreach (var step in steps)
        {
            writer.Write((byte)step.Op);
            if (LayoutOps.HasCount(step.Op))
                writer.Write7BitEncodedInt(step.Count);
            foreach (var type in step.Types)
                WriteReference(writer, type);
        }
    }

    private void WriteReference(BinaryWriter writer, TypeLayout type)
    {
        if (type.WireCode != 0)
        {
            writer.Write7BitEncodedInt(type.WireCode);
            return;
        }

        if (!_indexes.TryGetValue(type, out var index))
        {
            index = _entries.Count;
            _entries.Add(type);
            _indexes.Add(type, index);
        }

        writer.Write7BitEncodedInt((int)ObjectTags.TypeTableFirst + index);
    }
}
