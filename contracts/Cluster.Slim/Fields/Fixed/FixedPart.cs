namespace Cluster.Slim.Fields.Fixed;

/// <summary>A simple value inside a place of fixed size.</summary>
/// <param name="Path">The fields that lead to it; none when the place is the value.</param>
/// <param name="Offset">Its offset on the wire, from the beginning of the place.</param>
/// <param name="Serializer">Its serializer.</param>
internal sealed record FixedPart(FieldInfo[] Path, int Offset, ISimpleFieldSerializer Serializer)
{
    /// <summary>The parts of consecutive fields of fixed size.</summary>
    public static FixedPart[] Of(IEnumerable<FieldMember> members)
    {
        List<FixedPart> parts = [];
        var offset = 0;
        foreach (var member in members)
        {
            var serializer = (IFixedFieldSerializer)member.Serializer;
            foreach (var part in serializer.Parts)
                parts.Add(new FixedPart([member.Field, .. part.Path], offset + part.Offset, part.Serializer));
            offset = checked(offset + serializer.Bytes);
        }

        return [.. parts];
    }
}
