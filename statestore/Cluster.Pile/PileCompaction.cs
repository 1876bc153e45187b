namespace Cluster.Pile;

/// <summary>What one <see cref="LocalPile.Compact"/> did. An immutable value.</summary>
/// <param name="ReleasedBytes">Memory that it gave back to the system.</param>
/// <param name="MovedLinks">Objects behind a link whose bytes it moved together with others.</param>
public readonly record struct PileCompaction(long ReleasedBytes, long MovedLinks);
