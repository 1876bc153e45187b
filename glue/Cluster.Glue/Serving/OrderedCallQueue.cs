namespace Cluster.Glue.Serving;

/// <summary>The one-way calls of one proxy and what waits for them. While it runs, a pool item executes one after the
/// other, as long as each ends at once. Guarded by the lock of its owner.</summary>
internal sealed class OrderedCallQueue(OrderedCallQueues owner) : IThreadPoolWorkItem
{
    // Other users of the pool get their turn after this number of calls.
    private const int MaxCalls = 128;

    public ulong Number { get; set; }

    /// <summary>The one-way call that is under way; null: the next one may start.</summary>
    public IncomingCall? Current { get; set; }

    public Queue<IncomingCall> Waiting { get; } = new();

    /// <summary>A pool item goes on with the line.</summary>
    public bool IsRunning { get; set; }

    /// <summary>Counts the runs: one that a call holds up is replaced by another, and must not go on later.</summary>
    public int Run { get; set; }

    public void Execute()
    {
        // No other run can have begun since this item was queued: none of the calls was under way.
        var run = Run;
        for (var count = 0; owner.TryTake(this, run, count >= MaxCalls, out var next); count++)
        {
            next.ExecuteApart(hasWaited: true);
            SynchronizationContext.SetSynchronizationContext(null);
        }
    }
}
