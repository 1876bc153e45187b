namespace Cluster.Glue.Scheduling;

/// <summary>Marks tasks that may fail when no code awaits them any more.</summary>
internal static class LateFailures
{
    /// <summary>Keeps a failure of the task from being reported as unobserved. Code that awaits the task still gets the
    /// failure.</summary>
    public static TTask MayFailUnseen<TTask>(this TTask task)
        where TTask : Task
    {
        _ = task.ContinueWith(
            static failed => _ = failed.Exception,
            CancellationToken.None,
            TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        return task;
    }
}
