namespace Cluster.Glue.Scheduling;

/// <summary>
/// Starts what outlives whoever causes it: without that one's execution context, whose values it would keep alive and
/// show to others.
/// </summary>
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
