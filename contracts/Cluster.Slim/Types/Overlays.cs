namespace Cluster.Slim.Types;

/// <summary>Types whose author placed the fields: which fields share bytes, and which such types can be
/// carried.</summary>
internal static class Overlays
{
    private const BindingFlags Fields =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    /// <summary>Whether values are one block of memory: a struct of simple values that share bytes.</summary>
    public static bool IsBlock(Type type) =>
        type.IsValueType && OverlappingFieldsOf(type).Count > 0 && type.GetFields(Fields).All(f => IsRaw(f.FieldType));

    /// <summary>Whether fields of the type share bytes.</summary>
    public static bool HasOverlaps(Type type) => OverlappingFieldsOf(type).Count > 0;

    /// <summary>Why the type cannot be carried: every bit pattern of shared bytes must be a value of each
    /// field.</summary>
    public static string? ReasonFor(Type type)
    {
        for (var level = type; level is not null && !TypeRules.IsFramework(level); level = level.BaseType)
        {
            if (OverlappingFieldsOf(level).Find(static f => !IsPlain(f.FieldType)) is { } field)
                return $"its field {field.Name} shares bytes, and not every pattern of bits is a value of it.";
        }

        return null;
    }

    /// <summary>Whether a field covers each byte; bytes that no field covers are never written.</summary>
    public static bool[] CoverageOf(Type type)
    {
        var covered = new bool[TypeShape.ValueBytesOf(type)];
        foreach (var field in type.GetFields(Fields))
            covered.AsSpan(OffsetOf(field), SizeOf(field.FieldType)).Fill(true);
        return covered;
    }

    public static int OffsetOf(FieldInfo field) => field.GetCustomAttribute<FieldOffsetAttribute>()?.Value ?? 0;

    private static int SizeOf(Type type) => type.IsValueType ? TypeShape.ValueBytesOf(type) : nint.Size;

    // The fields of one class in the chain that share bytes with others of that class.
    private static List<FieldInfo> OverlappingFieldsOf(Type type)
    {
        List<FieldInfo> overlapping = [];
        if (!type.IsExplicitLayout)
            return overlapping;
        var fields = type.GetFields(Fields);
        foreach (var field in fields)
        {
            var start = OffsetOf(field);
            var end = start + SizeOf(field.FieldType);
            if (fields.Any(f => f != field && OffsetOf(f) < end && start < OffsetOf(f) + SizeOf(f.FieldType)))
                overlapping.Add(field);
        }

        return overlapping;
    }

    private static bool IsPlain(Type type)
    {
        if (IsRaw(type))
            return true;
        if (!type.IsValueType || TypeRules.IsFramework(type))
            return false;
        return InlineElements.Find(type) is { } inline
            ? IsPlain(inline.Element)
            : type.GetFields(Fields).All(static f => IsPlain(f.FieldType));
    }

    private static bool IsRaw(Type type) =>
        type.IsValueType && FrameworkForms.IsRaw(type);
}
