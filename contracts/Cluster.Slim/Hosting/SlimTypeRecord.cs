namespace Cluster.Slim.Hosting;

/// <summary>One entry of a <see cref="SlimTypeTable"/> from another process.</summary>
/// <param name="Type">What the type is in this program; null when it has none.</param>
/// <param name="Layout">What <see cref="SlimTypeTable.LayoutOf"/> gave there. May be of other fields than the type has
/// here.</param>
public readonly record struct SlimTypeRecord(Type? Type, ReadOnlyMemory<byte> Layout);
