namespace Cluster.Glue.Scheduling;

/// <summary>Counts the pool threads of one client that block in synchronous members, and lets at most a limit of them
/// wait for answers, because a pool full of blocked threads cannot run the work for which they wait. Further threads
/// wait for their turn. Protected by one lock.</summary>
internal sealed class BlockingCalls(int countMax, TimeProvider time)
{
    private readonly Lock _gate = new();
    private readonly Queue<TaskCompletionSource> _waiters = new();
    private int _count;

    public int CountMax { get; } = countMax;

    /// <summary>Waits for a turn. False: there was none in time. A thread that is not of the pool needs no
    /// turn.</summary>
    public bool TryEnter(TimeSpan timeout, CancellationToken cancellationToken)
    {
        if (!Thread.CurrentThread.IsThreadPoolThread)
            return true;
        var turn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_count < CountMax)
            {
                _count++;
                return true;
            }

            _waiters.Enqueue(turn);
        }

        try
        {
            // Waits on a task, so that the pool knows that the thread is blocked.
            turn.Task.WaitAsync(timeout, time, cancellationToken).GetAwaiter().GetResult();
            return true;
        }
        catch (Exception exception)
        {
            // The turn came at the same moment: it goes to the next waiting thread.
            if (!turn.TrySetCanceled(CancellationToken.None))
                Leave();
            if (exception is TimeoutException)
                return false;
            throw;
        }
    }

    public void Leave()
    {
        if (!Thread.CurrentThread.IsThreadPoolThread)
            return;
        lock (_gate)
        {
            while (_waiters.TryDequeue(out var next))
            {
                if (next.TrySetResult())
                    return;
            }

            _count--;
        }
    }

    /// <summary>Blocks until the task ends. Throws the exception of the task, not an aggregate.</summary>
    public static T Wait<T>(Task<T> task) => task.GetAwaiter().GetResult();
}
