using Cluster.Nodes.Clocks;
using Cluster.Nodes.Tests.Beacons;
using Cluster.Testing;

namespace Cluster.Nodes.Tests.Clocks;

/// <summary>A child process all of whose threads of the pool are blocked, or one of whose timers fails. Tests start
/// it.</summary>
internal static class StarvedChild
{
    public const string Role = "starved";
    public const string Timer = "timer";
    public const string FailingTimer = "failing-timer";
    public const string Beacons = "beacons";

    /// <summary>What the child prints when it has succeeded.</summary>
    public const string Done = "done without the pool";

    /// <summary>What the callback of the failing timer throws.</summary>
    public const string Failure = "the callback has failed";

    private const int Rounds = 100;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public static ChildProcess Start(string what) =>
        ChildProcess.StartDotnet(typeof(StarvedChild).Assembly.Location, [Role, what]);

    public static int Run(string what)
    {
        switch (what)
        {
            case Timer:
                using (var fired = new ManualResetEventSlim())
                using (var time = new SuspendAwareTimeProvider())
                {
                    Starve();
                    using var timer = time.CreateTimer(_ => fired.Set(), null, TimeSpan.Zero, Timeout.InfiniteTimeSpan);
                    return Tell(fired.Wait(Bound));
                }

            case FailingTimer:
                using (var time = new SuspendAwareTimeProvider())
                {
                    using var timer = time.CreateTimer(
                        _ => throw new InvalidOperationException(Failure), null, TimeSpan.Zero,
                        Timeout.InfiniteTimeSpan);
                    using var never = new ManualResetEventSlim();
                    never.Wait(Bound);
                    return 0;
                }

            case Beacons:
                using (var pair = BeaconPair.OpenEncrypted())
                {
                    Starve();
                    return Tell(IsAnswered(pair));
                }

            default:
                return 2;
        }
    }

    // Returns when each thread that the pool may have is blocked. They stay so.
    private static void Starve()
    {
        ThreadPool.SetMinThreads(Environment.ProcessorCount, 1);
        ThreadPool.SetMaxThreads(Environment.ProcessorCount, Environment.ProcessorCount);
        var blocked = new CountdownEvent(Environment.ProcessorCount);
        var never = new ManualResetEventSlim();
        for (var thread = 0; thread < Environment.ProcessorCount; thread++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    blocked.Signal();
                    never.Wait();
                },
                null);
        }

        blocked.Wait();
    }

    // On a busy machine the first attempt to connect may take too long.
    private static bool IsAnswered(BeaconPair pair)
    {
        using var pause = new ManualResetEventSlim();
        for (var round = 0; round < Rounds; round++)
        {
            pair.First.Send(pair.Second, round);
            pause.Wait(Pause);
            if (pair.First.Answers.Count > 0)
                return true;
        }

        return false;
    }

    private static int Tell(bool isDone)
    {
        var runs = false;
        ThreadPool.UnsafeQueueUserWorkItem(_ => Volatile.Write(ref runs, true), null);
        Console.WriteLine(Volatile.Read(ref runs) ? "the pool is not starved" : isDone ? Done : "too late");
        return 0;
    }
}
