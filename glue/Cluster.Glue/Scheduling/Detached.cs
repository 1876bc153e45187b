namespace Cluster.Glue.Scheduling;

/// <summary>Starts work that outlives its starter, without the starter's execution context. Otherwise the work would
/// keep the context's values alive and see them.</summary>
internal static class Detached
{
    /// <summary>Runs the delegate on this thread. Work that the delegate starts has no execution context.</summary>
    public static TResult Run<TState, TResult>(TState state, Func<TState, TResult> start)
    {
        if (ExecutionContext.IsFlowSuppressed())
            return start(state);
        using (ExecutionContext.SuppressFlow())
            return start(state);
    }
}
