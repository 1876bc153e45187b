using Cluster.StateStore;
using Cluster.SystemTests.Host;
using Cluster.SystemTests.Nodes;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>A client that keeps values loses the connection to their owner, and with it the news of changes, while
/// another client writes.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class NearCacheTests(ITestOutputHelper output)
{
    private const int KeyCount = 60;
    private static readonly TimeSpan Calm = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan CutTime = TimeSpan.FromSeconds(6);
    private static readonly TimeSpan WritePause = TimeSpan.FromMilliseconds(100);

    // After two seconds without news, nothing that was kept is given out. Besides, two clocks count.
    private static readonly TimeSpan AgeMax = TimeSpan.FromSeconds(2.1);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F29")]
    public Task NewsOfChangesCutOff_NoValueIsOlderThanTwoSeconds_Short() => CheckAsync(rounds: 1);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F29")]
    public Task NewsOfChangesCutOff_NoValueIsOlderThanTwoSeconds() => CheckAsync(rounds: 10);

    private async Task CheckAsync(int rounds)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        using var writer = await run.Cluster.StartFurtherClientAsync();
        using var end = new CancellationTokenSource();
        var written = new ConcurrentQueue<Stamp>();
        var read = new ConcurrentQueue<Stamp>();
        var state = writer.Services.GetRequiredService<IPartitionedState<long, Counter>>();
        Task[] work =
        [
            .. Enumerable.Range(0, KeyCount).Select(key => WriteAsync(run, state, key, written, end.Token)),
            .. Enumerable.Range(0, KeyCount).Select(key => ReadAsync(run, key, read, end.Token)),
        ];
        for (var round = 1; round <= rounds; round++)
        {
            var name = run.Cluster.Nodes[round % run.Cluster.Nodes.Length].Name;
            await run.Load.RunForAsync(Calm);
            var cutAt = run.Load.Now;
            run.Cluster.CutBoth(name, FaultCluster.Client);
            run.FaultBegins(run.PartitionsOf(name));
            await run.Load.RunForAsync(CutTime);
            run.Cluster.HealAll();
            run.FaultEnds();
            CheckThatKeptValuesWereRead(run, name, [.. read], cutAt);
        }

        await run.Load.RunForAsync(Calm);
        await end.CancelAsync();
        await Task.WhenAll(work);
        await writer.StopAsync();
        CheckAges(run, written, read);
        await run.EndAsync();
    }

    private static async Task WriteAsync(
        FaultRun run, IPartitionedState<long, Counter> state, long key, ConcurrentQueue<Stamp> written, CancellationToken end)
    {
        for (var number = 1L; !end.IsCancellationRequested; number++)
        {
            await state.PutAsync(key, new Counter { Number = number }, cancellationToken: CancellationToken.None);
            written.Enqueue(new Stamp(key, number, run.Load.Now));
            await PauseAsync(end);
        }
    }

    private static async Task ReadAsync(FaultRun run, long key, ConcurrentQueue<Stamp> read, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            var began = run.Load.Now;
            if (await run.Cluster.Kept.GetAsync(key, CancellationToken.None) is { } found)
                read.Enqueue(new Stamp(key, found.Number, began));
            await PauseAsync(end);
        }
    }

    private static async Task PauseAsync(CancellationToken end)
    {
        using var pause = new PeriodicTimer(WritePause);
        try
        {
            await pause.WaitForNextTickAsync(end);
        }
        catch (OperationCanceledException)
        {
            // The scenario is over.
        }
    }

    // Otherwise the scenario would show nothing.
    private static void CheckThatKeptValuesWereRead(FaultRun run, string name, Stamp[] read, double cutAt)
    {
        var count = read.Count(one =>
            one.Time > cutAt + 0.2
            && one.Time < cutAt + AgeMax.TotalSeconds
            && run.Cluster.View.OwnerOf(TestStates.Kept, one.Key)?.Node.Name == name);
        run.Write($"{count} values were read from those that were kept, while {name} was cut off");
        Assert.True(count > 0, $"no kept value was read while {name} was cut off");
    }

    private static void CheckAges(FaultRun run, IEnumerable<Stamp> written, IEnumerable<Stamp> read)
    {
        var replacedAt = written.ToDictionary(one => (one.Key, one.Number - 1), one => one.Time);
        var oldest = read.Max(one =>
            replacedAt.TryGetValue((one.Key, one.Number), out var time) ? one.Time - time : 0);
        run.Write($"the oldest value was replaced {oldest:0.00} s before it was read (bound 2 s and the clocks' difference)");
        Assert.InRange(oldest, 0, AgeMax.TotalSeconds);
    }

    /// <summary>When a number was written, or when a read began that found it. Immutable.</summary>
    private readonly record struct Stamp(long Key, long Number, double Time);
}
