namespace Cluster.SystemTests.Host;

/// <summary>Blocks every thread that the thread pool of this process may have, for a time. A test asks for it by a line
/// on standard input. Stateless.</summary>
public static class PoolStarvation
{
    /// <summary>The line on standard input: this word and a number of seconds.</summary>
    public const string Command = "starve";

    /// <summary>The line on standard output when all threads are blocked.</summary>
    public const string Begun = "the pool is starved";

    /// <summary>The line on standard output when they go on.</summary>
    public const string Over = "the pool goes on";

    /// <summary>Starves the pool if a line asks for it. Returns at once.</summary>
    /// <param name="line">What the parent has written.</param>
    public static void Obey(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        if (line.Split(' ') is [Command, var seconds] && int.TryParse(seconds, out var count))
            new Thread(() => Starve(TimeSpan.FromSeconds(count))) { IsBackground = true, Name = Command }.Start();
    }

    private static void Starve(TimeSpan time)
    {
        ThreadPool.GetMaxThreads(out var workersMax, out var completionsMax);
        ThreadPool.GetMinThreads(out var workersMin, out var completionsMin);
        var count = Environment.ProcessorCount;
        ThreadPool.SetMinThreads(count, completionsMin);
        ThreadPool.SetMaxThreads(count, completionsMax);
        using var blocked = new CountdownEvent(count);
        using var isOver = new ManualResetEventSlim();
        using var ended = new CountdownEvent(count);
        for (var thread = 0; thread < count; thread++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    blocked.Signal();
                    isOver.Wait();
                    ended.Signal();
                },
                null);
        }

        blocked.Wait();
        Console.WriteLine(Begun);
        isOver.Wait(time);
        isOver.Set();
        ThreadPool.SetMaxThreads(workersMax, completionsMax);
        ThreadPool.SetMinThreads(workersMin, completionsMin);
        ended.Wait();
        Console.WriteLine(Over);
    }
}
