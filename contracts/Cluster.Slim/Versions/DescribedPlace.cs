using Cluster.Slim.Layouts;

namespace Cluster.Slim.Versions;

/// <summary>The position of a described layout.</summary>
/// <param name="Types">The description.</param>
/// <param name="Index">The position in it.</param>
internal sealed record DescribedPlace(DescribedTypes Types, int Index) : LayoutPlace(Index);
