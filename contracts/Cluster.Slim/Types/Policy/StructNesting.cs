namespace Cluster.Slim.Types.Policy;

/// <summary>The nesting of structs in structs. Each level recurses, so the limit bounds the depth of the
/// stack.</summary>
internal static class StructNesting
{
    public const int DepthMax = 32;

    private const BindingFlags Fields = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    public static bool IsTooDeep(Type type) => DepthOf(type, 0, []) > DepthMax;

    private static int DepthOf(Type type, int outer, Dictionary<Type, int> known)
    {
        if (!type.IsValueType || type.IsPrimitive || type.IsEnum || FrameworkForms.IsFixed(type))
            return 0;
        if (outer > DepthMax)
            return 1;
        if (known.TryGetValue(type, out var depth))
            return depth;
        foreach (var field in type.GetFields(Fields))
            depth = Math.Max(depth, DepthOf(field.FieldType, outer + 1, known));
        return known[type] = depth + 1;
    }
}
