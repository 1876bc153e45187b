using Cluster.Slim.Errors;

namespace Cluster.Slim.Layouts;

/// <summary>Computes the least number of bytes of each value. From it, readers know the largest count that the bytes
/// left allow. Refuses values that contain themselves or nest too deep: only a forged description has them.</summary>
internal static class LayoutSizes
{
    /// <summary>The number of levels that values may nest in values.</summary>
    public const int ValueDepthMax = 64;

    public static void Measure(IEnumerable<TypeLayout> layouts)
    {
        Dictionary<TypeLayout, int> depths = new(ReferenceEqualityComparer.Instance);
        foreach (var layout in layouts)
        {
            Visit(layout, depths, 1);
            layout.CreationHasPlaces = layout.Creation.Any(static s => s.Types.Length > 0);
            layout.HasCodec = layout.Creation.Any(static s => s.Op == LayoutOp.Codec);
        }
    }

    /// <summary>The least number of bytes that a step reads.</summary>
    public static long BytesMinOf(LayoutStep step) => step.Op switch
    {
        LayoutOp.Bytes => step.Count,
        LayoutOp.Place => step.Types[0].BytesMin,
        LayoutOp.Repeat => (long)step.Count * step.Types[0].BytesMin,
        LayoutOp.Dimensions => 5L * step.Count,
        LayoutOp.Address => 5,
        LayoutOp.Elements or LayoutOp.Fields => 0,
        _ => 1,
    };

    /// <summary>The least number of bytes of one item of a step that repeats places.</summary>
    public static int ItemBytesMinOf(LayoutStep step)
    {
        long bytes = 0;
        foreach (var type in step.Types)
            bytes += type.BytesMin;
        return (int)Math.Min(int.MaxValue, bytes);
    }

    // Returns the number of levels of values in the value. A forged description may nest without end; the level stops
    // the recursion.
    private static int Visit(TypeLayout layout, Dictionary<TypeLayout, int> depths, int level)
    {
        if (!layout.IsValue)
        {
            layout.BytesMin = 1;
            return 0;
        }

        if (depths.TryGetValue(layout, out var known))
        {
            if (known == 0)
                Throw.Malformed("A described value contains itself.");
            return known;
        }

        if (layout.BytesMin > 0)
            return 1;
        depths[layout] = 0;
        var depth = 0;
        foreach (var part in PartsOf(layout))
        {
            if (level > ValueDepthMax)
                break;
            depth = Math.Max(depth, Visit(part, depths, level + 1));
        }

        if (++depth > ValueDepthMax || level > ValueDepthMax)
            Throw.FormatLimit("ValueNesting", $"Values lie more than {ValueDepthMax} deep in values.");
        var bytes = layout.Body.Sum(BytesMinOf) + layout.Fields.Sum(f => HasFields(layout) ? f.Type.BytesMin : 0L);
        if (bytes == 0)
            Throw.Malformed("A described value takes no bytes.");
        layout.BytesMin = (int)Math.Min(int.MaxValue, bytes);
        if (layout.Body.All(IsFixed) && layout.Fields.All(static f => f.Type.FixedBytes > 0))
            layout.FixedBytes = layout.BytesMin;
        return depths[layout] = depth;
    }

    private static bool IsFixed(LayoutStep step) =>
        step.Op is LayoutOp.Bytes or LayoutOp.Fields
        || (step.Op is LayoutOp.Place or LayoutOp.Repeat && step.Types[0].FixedBytes > 0);

    private static bool HasFields(TypeLayout layout) => layout.Body.Any(static s => s.Op == LayoutOp.Fields);

    private static IEnumerable<TypeLayout> PartsOf(TypeLayout layout) => layout.Body.SelectMany(static s => s.Types)
        .Concat(layout.Fields.Select(static f => f.Type));
}
