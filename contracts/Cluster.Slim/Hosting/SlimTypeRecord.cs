namespace Cluster.Slim.Hosting;

/// <summary>One entry of a <see cref="SlimTypeTable"/> from another process.</summary>
/// <param name="Type">The type of this program that the entry means; null when this program has none.</param>
/// <param name="Layout">The bytes that <see cref="SlimTypeTable.LayoutOf"/> returned in the other process. The layout
/// may have other fields than the type has in this program.</param>
public readonly record struct SlimTypeRecord(Type? Type, ReadOnlyMemory<byte> Layout);
