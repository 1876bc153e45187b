namespace Cluster.Nodes.AspNetCore.Output;

/// <summary>What the state of tags keeps for a tag: a value that no other stamp has. Eviction removes the stamp, and
/// the next response with the tag makes another one. Immutable.</summary>
/// <param name="Value">The value.</param>
internal readonly record struct TagStamp(Guid Value);
