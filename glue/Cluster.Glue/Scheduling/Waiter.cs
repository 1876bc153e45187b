namespace Cluster.Glue.Scheduling;

/// <summary>Those who wait for one thing, if there are any. They go on elsewhere, never under the lock that guards it.
/// Not copied.</summary>
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
