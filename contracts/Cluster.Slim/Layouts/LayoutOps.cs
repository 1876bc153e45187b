namespace Cluster.Slim.Layouts;

/// <summary>Says which operands the steps of layouts have.</summary>
internal static class LayoutOps
{
    public static bool HasCount(LayoutOp op) =>
        op is LayoutOp.Bytes or LayoutOp.Items or LayoutOp.Repeat or LayoutOp.Dimensions or LayoutOp.Codec;

    /// <summary>The number of types that a step names.</summary>
    public static int TypeCountOf(LayoutOp op, int count) => op switch
    {
        LayoutOp.Items => count,
        LayoutOp.Place or LayoutOp.Optional or LayoutOp.Repeat or LayoutOp.Elements or LayoutOp.Segment => 1,
        _ => 0,
    };
}
