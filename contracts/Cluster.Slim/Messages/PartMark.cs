namespace Cluster.Slim.Messages;

/// <summary>The state of a reader before it read a part of the graph. It shows afterwards whether all objects that the
/// part reaches are complete: none of them waits, and no reference leads to an earlier object, which may contain the
/// part.</summary>
/// <param name="ObjectCount">The objects that had a handle.</param>
/// <param name="LowestReference">The lowest handle that the surrounding part refers to.</param>
/// <param name="WaitingCount">The bodies and completions that had been deferred so far.</param>
internal readonly record struct PartMark(int ObjectCount, int LowestReference, int WaitingCount);
