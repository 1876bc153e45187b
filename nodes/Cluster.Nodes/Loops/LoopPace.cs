namespace Cluster.Nodes.Loops;

/// <summary>How long a background loop pauses. Immutable.</summary>
/// <param name="AfterSuccess">After a step that went well; never zero, so that no loop can spin.</param>
/// <param name="AfterFailureMin">After the first failure; doubles with each further one.</param>
/// <param name="AfterFailureMax">The longest pause.</param>
internal readonly record struct LoopPace(TimeSpan AfterSuccess, TimeSpan AfterFailureMin, TimeSpan AfterFailureMax);
