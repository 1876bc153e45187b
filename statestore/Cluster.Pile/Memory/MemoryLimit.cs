namespace Cluster.Pile.Memory;

/// <summary>A limit that the system puts on the memory of this process, by name. An immutable value.</summary>
/// <param name="Name">What sets the limit, for the message.</param>
/// <param name="Bytes">The limit.</param>
internal readonly record struct MemoryLimit(string Name, long Bytes);
