namespace Cluster.Glue.Scheduling;

/// <summary>The tasks that wait for one event, if there are any. Their continuations run on other threads, never under
/// the lock that guards the event. Must not be copied.</summary>
internal struct Waiter
{
    private TaskCompletionSource? _source;

    /// <summary>Completes with the next <see cref="Release"/>.</summary>
    public Task WaitAsync() =>
        (_source ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

    public void Release()
    {
        _source?.TrySetResult();
        _source = null;
    }
}
