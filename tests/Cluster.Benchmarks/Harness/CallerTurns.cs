namespace Cluster.Benchmarks.Harness;

/// <summary>Runs a number of operations by a number of callers, who take turns. A caller whose operations end at once
/// never gives its thread back by itself: on two processors, two of the callers would make all operations, until the
/// thread pool adds threads. So each caller gives its thread to the next one after some operations. Stateless.</summary>
internal static class CallerTurns
{
    // With more operations in a turn, some callers would still run when the others have ended. With fewer, the race
    // would measure the counter that all callers change.
    private const int OperationsPerTurn = 8;

    /// <summary>Runs operations, and returns when all have ended.</summary>
    /// <param name="callers">How many run at once.</param>
    /// <param name="count">How many they run together.</param>
    /// <param name="operation">One operation; gets its number.</param>
    public static Task RunAsync<T>(int callers, int count, Func<long, ValueTask<T>> operation)
    {
        var begun = 0;
        return Task.WhenAll(Enumerable.Range(0, Math.Min(callers, count)).Select(_ => Task.Run(LoopAsync)));

        async Task LoopAsync()
        {
            while (Interlocked.Add(ref begun, OperationsPerTurn) - OperationsPerTurn is var first && first < count)
            {
                for (var number = first; number < Math.Min(first + OperationsPerTurn, count); number++)
                    await operation(number);
                await Task.Yield();
            }
        }
    }
}
