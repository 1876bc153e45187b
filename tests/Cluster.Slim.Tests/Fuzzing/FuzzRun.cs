namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Reads a number of mutated messages on all processors. The messages follow from the seed and their number
/// alone, whatever the threads do. A message that does not end is reported while it still runs.</summary>
internal sealed class FuzzRun(ulong seed, long count)
{
    private static readonly TimeSpan HangTime = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan WatchInterval = TimeSpan.FromSeconds(1);

    private static readonly byte[] SweptValues = [0, 1, 2, 3, 4, 5, 9, 66, 127, 255];

    private readonly FuzzCorpus _corpus = new();
    private long _index = -1;

    /// <summary>Runs to the end, or to the first failure, which it returns as text.</summary>
    public (FuzzTally Tally, string? Failure) Run()
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
        foreach (var worker in workers)
        {
            failure ??= worker.Failure;
            tally.Add(worker.Tally);
        }

        return (tally, failure);
    }

    // Every rule is broken here, by the corpus as it is, by a sweep over some of its messages or by a case of its own.
    private void CountUnmutated(FuzzTally tally)
    {
        foreach (var source in _corpus.Cases)
            tally.CountCertain(Record.Exception(() => source.NewReader()(source.Message)) as SlimException);
        foreach ((_, var write) in RefusedWrites.All)
            tally.CountCertain(Record.Exception(write) as SlimException);
        foreach (var directed in DirectedCases.All)
            tally.CountCertain(Record.Exception(directed.Act) as SlimException);
        foreach (var source in _corpus.Cases.Where(static c => c.IsSwept))
            Sweep(source, tally);
    }

    private static void Sweep(FuzzCase source, FuzzTally tally)
    {
        var read = source.NewReader();
        byte[] message = [.. source.Message];
        for (var i = 0; i < message.Length; i++)
        {
            foreach (var value in SweptValues)
            {
                message[i] = value;
                var error = Record.Exception(() => read(message));
                Assert.True(error is null or SlimException { Site: not null }, $"{source.Name}, {i}: {value}: {error}");
                tally.CountCertain(error as SlimException);
            }

            message[i] = source.Message[i];
        }
    }

    private static string? HangOf(FuzzWorker worker)
    {
        (var index, var startedAt) = worker.Current;
        return index >= 0 && Stopwatch.GetElapsedTime(startedAt) > HangTime
            ? worker.Describe(index, $"has been read for more than {HangTime}")
            : null;
    }

    private long NextIndex()
    {
        var index = Interlocked.Increment(ref _index);
        return index < count ? index : -1;
    }
}
