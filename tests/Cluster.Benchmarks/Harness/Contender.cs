namespace Cluster.Benchmarks.Harness;

/// <summary>One side of a race: ours or a rival.</summary>
/// <param name="Name">Its name in the race.</param>
/// <param name="Body">Performs this number of operations; called again and again with the same count.</param>
public sealed record Contender(string Name, Action<int> Body)
{
    /// <summary>A contender whose operations are asynchronous; the race waits for the whole batch.</summary>
    /// <param name="name">Its name in the race.</param>
    /// <param name="body">Performs this number of operations.</param>
    public static Contender Async(string name, Func<int, Task> body) =>
        new(name, count => body(count).GetAwaiter().GetResult());
}
