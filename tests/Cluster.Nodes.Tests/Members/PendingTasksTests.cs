using Cluster.Nodes.Members;
using Cluster.Testing;

namespace Cluster.Nodes.Tests.Members;

public sealed class PendingTasksTests
{
    private const int StartersOfARace = 4;
    private static readonly TimeSpan WaitBudget = TimeSpan.FromMinutes(1);

    private readonly ConcurrentQueue<Exception> _failures = new();

    [Fact]
    public async Task Start_Work_RunsAndIsForgotten()
    {
        await using var tasks = Create();
        var ended = 0;
        for (var number = 0; number < 1_000; number++)
        {
            Assert.True(tasks.Start(_ =>
            {
                Interlocked.Increment(ref ended);
                return Task.CompletedTask;
            }));
        }

        await Eventually.TrueAsync(() => Volatile.Read(ref ended) == 1_000 && tasks.Count == 0, WaitBudget);
        Assert.Empty(_failures);
    }

    [Fact]
    public async Task Start_WorkThatFails_TellsTheFailureAndGoesOn()
    {
        await using var tasks = Create();
        tasks.Start(static _ => throw new InvalidOperationException("at once"));
        tasks.Start(static async _ =>
        {
            await Task.Yield();
            throw new InvalidDataException("later");
        });
        await Eventually.TrueAsync(() => _failures.Count == 2 && tasks.Count == 0, WaitBudget);
        Assert.Equal(["at once", "later"], _failures.Select(failure => failure.Message).Order());
    }

    [Fact]
    public async Task Dispose_RunningWork_IsCancelledAndAwaited()
    {
        var tasks = Create();
        var begun = new TaskCompletionSource();
        var isEnded = false;
        tasks.Start(async token =>
        {
            begun.SetResult();
            await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, token)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await Task.Yield();
            isEnded = true;
        });
        await begun.Task;
        await tasks.DisposeAsync();
        Assert.True(isEnded);
        Assert.Empty(_failures);
    }

    [Fact]
    public async Task Dispose_WorkThatIgnoresItsToken_IsAwaitedByEveryDisposal()
    {
        var tasks = Create();
        var gate = new TaskCompletionSource();
        tasks.Start(_ => gate.Task);
        var (first, second) = (tasks.DisposeAsync().AsTask(), tasks.DisposeAsync().AsTask());
        Assert.False(first.IsCompleted || second.IsCompleted);
        gate.SetResult();
        await Task.WhenAll(first, second);
    }

    [Fact]
    public async Task Start_AfterTheEnd_StartsNothing()
    {
        var tasks = Create();
        await tasks.DisposeAsync();
        Assert.False(tasks.Start(static _ => throw new InvalidOperationException("started after the end")));
        Assert.Equal(0, tasks.Count);
        Assert.Empty(_failures);
    }

    /// <summary>Several threads start work while the owner ends. What was started has ended after that.</summary>
    [Fact]
    public async Task Start_WhileTheOwnerEnds_EndsBeforeTheOwner()
    {
        for (var round = 0; round < 200; round++)
        {
            var tasks = Create();
            var (started, ended) = (0, 0);
            using var ready = new Barrier(StartersOfARace + 1);
            var starting = Enumerable.Range(0, StartersOfARace).Select(_ => Task.Factory.StartNew(
                () =>
                {
                    ready.SignalAndWait();
                    while (tasks.Start(_ =>
                    {
                        Interlocked.Increment(ref ended);
                        return Task.CompletedTask;
                    }))
                        Interlocked.Increment(ref started);
                },
                CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)).ToArray();
            ready.SignalAndWait();
            await tasks.DisposeAsync();
            var endedWithTheOwner = Volatile.Read(ref ended);
            await Task.WhenAll(starting);
            Assert.Equal((started, 0), (ended, ended - endedWithTheOwner));
            await Eventually.TrueAsync(() => tasks.Count == 0, WaitBudget);
        }
    }

    private PendingTasks Create() => new(_failures.Enqueue);
}
