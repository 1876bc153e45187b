namespace Cluster.Pile.Memory;

/// <summary>A limit that the system sets on the memory of this process, by name. An immutable value.</summary>
/// <param name="Name">The source of the limit, for the message.</param>
/// <param name="Bytes">The limit.</param>
internal readonly record struct MemoryLimit(string Name, long Bytes);
