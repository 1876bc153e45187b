namespace Cluster.StateStore.Hosting.Layouts;

/// <summary>How many layout descriptions of others a process keeps for one state. Immutable.</summary>
/// <param name="CountMax">The most descriptions.</param>
/// <param name="BytesMax">The most bytes of all descriptions together.</param>
internal sealed record LayoutLimits(int CountMax, long BytesMax)
{
    /// <summary>The largest description, in bytes.</summary>
    public const int DescriptionBytesMax = 256 << 10;

    /// <summary>What callers can fill.</summary>
    public static LayoutLimits OfCallers { get; } = new(1_024, 1 << 20);

    /// <summary>What nodes can fill together. Each node has taken what its own callers have told, so this is more.
    /// </summary>
    public static LayoutLimits OfNodes { get; } = new(4_096, 4 << 20);
}
