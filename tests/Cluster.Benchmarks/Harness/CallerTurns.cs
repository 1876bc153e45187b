namespace Cluster.Benchmarks.Harness;

/// <summary>Runs a number of operations by a number of callers. A caller makes some operations in a row and then lets
/// the others go on: an operation that ends at once would otherwise keep its caller running, and as few callers as
/// there are processors would make all operations, until the thread pool adds threads that only disturb each other.
/// Stateless.</summary>
internal static class CallerTurns
{
    // Few enough that all callers end at about the same time, and enough that the shared count is no part of what is
    // measured.
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
