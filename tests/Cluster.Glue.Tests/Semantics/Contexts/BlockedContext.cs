namespace Cluster.Glue.Tests.Semantics.Contexts;

/// <summary>The synchronization context of a thread that waits, like the one of a user interface: what is posted to it
/// is not run before the wait has ended, which here is never.</summary>
internal sealed class BlockedContext : SynchronizationContext
{
    private int _postedCount;

    public int PostedCount => Volatile.Read(ref _postedCount);

    public override SynchronizationContext CreateCopy() => this;

    public override void Post(SendOrPostCallback d, object? state) => Interlocked.Increment(ref _postedCount);

    public override void Send(SendOrPostCallback d, object? state) => Interlocked.Increment(ref _postedCount);

    /// <summary>Runs work in a context of this kind, on a thread of its own.</summary>
    /// <returns>Ends with the work; what was posted meanwhile.</returns>
    public static Task<int> RunAsync(Action work)
    {
        var context = new BlockedContext();
        return Task.Factory.StartNew(
            () =>
            {
                SetSynchronizationContext(context);
                work();
                return context.PostedCount;
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
    }
}
