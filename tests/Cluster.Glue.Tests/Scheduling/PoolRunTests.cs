using Cluster.Glue.Scheduling;

namespace Cluster.Glue.Tests.Scheduling;

public class PoolRunTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private sealed class Piece(Action work) : IThreadPoolWorkItem
    {
        public void Execute() => work();
    }

    [Fact]
    [Trait("Case", "glue-67")]
    public async Task Pieces_Many_EachRunsOnceAndStartsInOrder()
    {
        const int Count = 10_000;
        const int ThreadsMax = 256;
        var started = new ConcurrentQueue<int>();
        using var left = new CountdownEvent(Count);
        var run = new PoolRun();
        for (var i = 0; i < Count; i++)
        {
            var index = i;
            run.Add(new Piece(() =>
            {
                started.Enqueue(index);
                left.Signal();
            }));
            if (i % 100 == 0)
                run.Start();
        }

        run.Start();
        await Task.Run(() => Assert.True(left.Wait(Patience)));
        var order = started.ToArray();
        Assert.Equal(Enumerable.Range(0, Count), order.Order());
        // A piece may be noted before earlier ones that other threads have taken, but not before those in the queue.
        Assert.All(order.Index(), noted => Assert.InRange(noted.Item - noted.Index, int.MinValue, ThreadsMax));
        // Each thread that is held up shifts those behind its piece by one. Other tests give the pool further threads.
        int[] shifts = [.. order.Index().Select(noted => Math.Abs(noted.Item - noted.Index)).Order()];
        Assert.InRange(shifts[Count / 2], 0, Math.Max(16, ThreadPool.ThreadCount));
    }

    [Fact]
    public async Task Piece_ThatBlocks_HoldsUpNoOther()
    {
        using var release = new ManualResetEventSlim();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var run = new PoolRun();
        run.Add(new Piece(() =>
        {
            if (release.Wait(Patience))
                done.SetResult();
        }));
        run.Add(new Piece(release.Set));
        run.Start();
        await done.Task.WaitAsync(Patience);
    }

    [Fact]
    public async Task Piece_ThatBlocks_HoldsUpNoneThatComesLater()
    {
        using var entered = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var run = new PoolRun();
        run.Add(new Piece(() =>
        {
            entered.Set();
            if (release.Wait(Patience))
                done.SetResult();
        }));
        run.Start();
        await Task.Run(() => Assert.True(entered.Wait(Patience)));
        run.Add(new Piece(release.Set));
        run.Start();
        await done.Task.WaitAsync(Patience);
    }

    [Fact]
    public async Task Piece_ThatChangesItsContext_ChangesNoOther()
    {
        const int Count = 200;
        var local = new AsyncLocal<int>();
        var seen = new ConcurrentQueue<(int Value, SynchronizationContext? Context)>();
        using var left = new CountdownEvent(Count);
        var run = new PoolRun();
        for (var i = 1; i <= Count; i++)
        {
            var index = i;
            run.Add(new Piece(() =>
            {
                seen.Enqueue((local.Value, SynchronizationContext.Current));
                local.Value = index;
                SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
                left.Signal();
            }));
        }

        run.Start();
        await Task.Run(() => Assert.True(left.Wait(Patience)));
        Assert.All(seen, one => Assert.Equal((0, null), one));
    }
}
