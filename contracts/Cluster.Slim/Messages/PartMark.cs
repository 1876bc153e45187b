namespace Cluster.Slim.Messages;

/// <summary>Where a reader was before it read a part of the graph, to find out afterwards whether all that the part
/// reaches is complete: nothing of it waits, and nothing refers to an object from before, which may be one that
/// contains it.</summary>
/// <param name="ObjectCount">The objects that had a handle.</param>
/// <param name="LowestReference">The lowest handle referred to by the part around this one.</param>
/// <param name="WaitingCount">The bodies and completions that had been put off so far.</param>
internal readonly record struct PartMark(int ObjectCount, int LowestReference, int WaitingCount);
