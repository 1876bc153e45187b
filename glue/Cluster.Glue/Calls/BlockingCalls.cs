namespace Cluster.Glue.Calls;

/// <summary>
/// Counts the pool threads of one client that wait in synchronous members, and refuses beyond a limit, because a pool
/// full of waiting threads cannot run what they wait for. Protected by atomic counting.
/// </summary>
internal sealed class BlockingCalls(int countMax)
{
    private int _count;

    public int CountMax { get; } = countMax;

    /// <summary>False when too many wait. Threads that are not the pool's are not counted.</summary>
    public bool TryEnter()
    {
        if (!Thread.CurrentThread.IsThreadPoolThread)
            return true;
        if (Interlocked.Increment(ref _count) <= CountMax)
            return true;
        Interlocked.Decrement(ref _count);
        return false;
    }

    public void Leave()
    {
        if (Thread.CurrentThread.IsThreadPoolThread)
            Interlocked.Decrement(ref _count);
    }

    /// <summary>Blocks until the task ends; throws its failure as itself.</summary>
    public static T Wait<T>(Task<T> task) => task.GetAwaiter().GetResult();
}
