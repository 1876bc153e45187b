namespace Cluster.Glue.Scheduling;

/// <summary>Counts the pool threads of one client that wait in synchronous members, and lets no more than a limit wait
/// for answers, because a pool full of waiting threads cannot run what they wait for. One more waits for its turn.
/// Protected by one lock.</summary>
internal sealed class BlockingCalls(int countMax, TimeProvider time)
{
    private readonly Lock _gate = new();
    private readonly Queue<TaskCompletionSource> _waiters = new();
    private int _count;

    public int CountMax { get; } = countMax;

    /// <summary>Waits for a turn; false when there was none in time. Threads that are not the pool's have it at
    /// once.</summary>
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
            // As a task, so that the pool knows that the thread does nothing.
            turn.Task.WaitAsync(timeout, time, cancellationToken).GetAwaiter().GetResult();
            return true;
        }
        catch (Exception exception)
        {
            // Its turn came at the same moment: it is that of the next in line.
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

    /// <summary>Blocks until the task ends; throws its failure as itself.</summary>
    public static T Wait<T>(Task<T> task) => task.GetAwaiter().GetResult();
}
