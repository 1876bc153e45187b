namespace Cluster.Glue.Scheduling;

/// <summary>Starts work that outlives its starter: without the execution context of the starter, whose values it would
/// keep alive and show to others.</summary>
internal static class Detached
{
    /// <summary>Runs what starts such work, on this thread; what it starts has no execution context.</summary>
    public static TResult Run<TState, TResult>(TState state, Func<TState, TResult> start)
    {
        if (ExecutionContext.IsFlowSuppressed())
            return start(state);
        using (ExecutionContext.SuppressFlow())
            return start(state);
    }
}
