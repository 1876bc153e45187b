using Cluster.Benchmarks.Harness;
using Cluster.Pile;

namespace Cluster.Benchmarks.Pile;

/// <summary>A reader beside a writer, and what a second thread adds.</summary>
internal static class ConcurrentRows
{
    private const int Size = 64;
    private const int Passes = 4;
    private static readonly TimeSpan Time = TimeSpan.FromSeconds(2);

    public static void Run(BenchmarkRun run)
    {
        if (run.Wants("get.beside.writer.p999"))
            RunBesideWriter(run);
        if (run.Wants("threads.two"))
            RunTwoThreads(run);
    }

    private static void RunBesideWriter(BenchmarkRun run)
    {
        using var set = new PileSet(run.Size("get.beside.writer.p999"), Size);
        var done = false;
        var writer = new Thread(() =>
        {
            var random = new Random(5);
            var payload = new byte[Size];
            while (!Volatile.Read(ref done))
                set.Pile.Put(set.Pointers[random.Next(set.Pointers.Length)], payload);
        });
        writer.Start();
        var nanoseconds = new List<long>(capacity: 32_000_000);
        var order = new Random(6);
        var buffer = new byte[Size];
        var started = Stopwatch.GetTimestamp();
        var before = started;
        while (Stopwatch.GetElapsedTime(started, before) < Time && nanoseconds.Count < nanoseconds.Capacity)
        {
            set.Pile.Read(set.Pointers[order.Next(set.Pointers.Length)], buffer);
            var now = Stopwatch.GetTimestamp();
            nanoseconds.Add((long)Stopwatch.GetElapsedTime(before, now).TotalNanoseconds);
            before = now;
        }

        Volatile.Write(ref done, true);
        writer.Join();
        nanoseconds.Sort();
        run.Report("get.beside.writer.p999", nanoseconds[(int)(nanoseconds.Count * 0.999)] / 1000.0);
    }

    private static void RunTwoThreads(BenchmarkRun run)
    {
        var count = (int)run.Size("threads.two");
        using var set = new PileSet(count, Size, spareFactor: 2);
        run.Report("threads.two", GainOfTwo(thread => ReadReplace(set.Pile, Passes * count, (byte)thread)));
        run.Report("threads.two.control", GainOfTwo(_ => ReferenceLoop.MeasureScale()));
    }

    // Twice the time of one thread over that of two: 2 when they do not disturb each other.
    private static double GainOfTwo(Action<int> work)
    {
        var seconds = Rounds.MedianSeconds(() => () => work(0), () => TwoThreads.Prepare(work));
        return 2 * seconds[0] / seconds[1];
    }

    private static void ReadReplace(LocalPile pile, int count, byte seed)
    {
        var payload = new byte[Size];
        payload[0] = seed;
        for (var i = 0; i < count; i++)
        {
            var pointer = pile.Put(payload.AsSpan());
            pile.Read(pointer, payload);
            pile.Delete(pointer);
        }
    }
}
