using System.Diagnostics;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>
/// Reads a number of mutated messages on all processors. The messages follow from the seed and their number alone,
/// whatever the threads do. A message that does not end is reported while it still runs.
/// </summary>
internal sealed class FuzzRun(ulong seed, long count)
{
    private static readonly TimeSpan HangTime = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan WatchInterval = TimeSpan.FromSeconds(1);

    private readonly FuzzCorpus _corpus = new();
    private long _index = -1;

    /// <summary>Runs to the end, or to the first failure, which it returns as text.</summary>
    internal (FuzzTally Tally, string? Failure) Run()
    {
        FuzzWorker[] workers =
            [.. Enumerable.Range(0, Environment.ProcessorCount).Select(_ => new FuzzWorker(_corpus, seed, NextIndex))];
        Thread[] threads = [.. workers.Select(static worker => new Thread(worker.Run, FuzzWorker.StackBytes)
        {
            IsBackground = true,
        })];
        Array.ForEach(threads, static thread => thread.Start());
        string? failure = null;
        while (failure is null && Array.Exists(threads, static thread => !thread.Join(WatchInterval)))
            failure = workers.Select(HangOf).FirstOrDefault(static hang => hang is not null);
        FuzzTally tally = new();
        CountUnmutated(tally);
        foreach (FuzzWorker worker in workers)
        {
            failure ??= worker.Failure;
            tally.Add(worker.Tally);
        }

        return (tally, failure);
    }

    // Some rules are broken by one message or graph only.
    private void CountUnmutated(FuzzTally tally)
    {
        foreach (FuzzCase source in _corpus.Cases)
            tally.CountRule(Record.Exception(() => source.NewReader()(source.Message)) as SlimException);
        foreach ((_, Action write) in RefusedWrites.All)
            tally.CountRule(Record.Exception(write) as SlimException);
    }

    private static string? HangOf(FuzzWorker worker)
    {
        (long index, long startedAt) = worker.Current;
        return index >= 0 && Stopwatch.GetElapsedTime(startedAt) > HangTime
            ? worker.Describe(index, $"has been read for more than {HangTime}")
            : null;
    }

    private long NextIndex()
    {
        long index = Interlocked.Increment(ref _index);
        return index < count ? index : -1;
    }
}
