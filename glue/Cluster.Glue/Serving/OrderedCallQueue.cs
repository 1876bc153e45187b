namespace Cluster.Glue.Serving;

/// <summary>One line: the one-way calls of one proxy and the calls that wait for them. While the line runs, a pool item
/// executes one call after the other, as long as each call ends at once. Guarded by the lock of its owner.</summary>
internal sealed class OrderedCallQueue(OrderedCallQueues owner) : IThreadPoolWorkItem
{
    // After this number of calls, other users of the pool get their turn.
    private const int MaxCalls = 128;

    public ulong Number { get; set; }

    /// <summary>The one-way call that runs; null: the next one may start.</summary>
    public IncomingCall? Current { get; set; }

    public Queue<IncomingCall> Waiting { get; } = new();

    /// <summary>Whether a pool item executes the line.</summary>
    public bool IsRunning { get; set; }

    /// <summary>The number of the current run. When a call blocks a run, another run replaces it, and the old run must
    /// not go on.</summary>
    public int Run { get; set; }

    public void Execute()
    {
        // No other run can have begun since this item was queued, because no call of the line was running.
        var run = Run;
        for (var count = 0; owner.TryTake(this, run, count >= MaxCalls, out var next); count++)
        {
            next.ExecuteApart(hasWaited: true);
            SynchronizationContext.SetSynchronizationContext(null);
        }
    }
}
