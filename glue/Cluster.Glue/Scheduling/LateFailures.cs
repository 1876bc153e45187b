namespace Cluster.Glue.Scheduling;

/// <summary>Tasks that may fail when nobody waits for them any more.</summary>
internal static class LateFailures
{
    /// <summary>A failure goes to the tasks that wait for this one. Without any it is not reported as
    /// unobserved.</summary>
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
