namespace Cluster.Slim.Layouts;

/// <summary>Where a layout stands that a message described.</summary>
/// <param name="Index">Its position in the description.</param>
internal abstract record LayoutPlace(int Index);
