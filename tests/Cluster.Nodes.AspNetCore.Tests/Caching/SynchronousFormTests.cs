using Microsoft.Extensions.Caching.Distributed;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>The synchronous methods for keys of other nodes, on threads that a continuation cannot return to.</summary>
public sealed class SynchronousFormTests(ThreeNodesSide side) : IClassFixture<ThreeNodesSide>
{
    [Fact]
    public async Task SyncForms_InAContextThatNeverRunsAnything_End()
    {
        var posted = await RunBlockedAsync(UseAll);
        Assert.Equal(0, posted);
    }

    [Fact]
    public async Task SyncForms_OnTheOnlyThreadOfAScheduler_End()
    {
        var scheduler = new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler;
        await Task.Factory
            .StartNew(UseAll, CancellationToken.None, TaskCreationOptions.None, scheduler)
            .WaitAsync(TimeSpan.FromMinutes(1));
    }

    private static Task<int> RunBlockedAsync(Action work)
    {
        var context = new BlockedContext();
        return Task.Factory.StartNew(
            () =>
            {
                SynchronizationContext.SetSynchronizationContext(context);
                work();
                return context.PostedCount;
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default).WaitAsync(TimeSpan.FromMinutes(1));
    }

    private void UseAll()
    {
        var (key, output) = (side.NewKey(), new ArrayBufferWriter<byte>());
        var options = new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromHours(1) };
        side.Cache.Set(key, [1, 2], options);
        side.Cache.Refresh(key);
        Assert.Equal([1, 2], side.Cache.Get(key));
        side.Buffers.Set(key, Parts.Of(1, 2), options);
        Assert.True(side.Buffers.TryGet(key, output));
        Assert.Equal(3, output.WrittenCount);
        side.Cache.Remove(key);
        Assert.Null(side.Cache.Get(key));
    }

    private sealed class BlockedContext : SynchronizationContext
    {
        private int _postedCount;

        public int PostedCount => Volatile.Read(ref _postedCount);

        public override SynchronizationContext CreateCopy() => this;

        public override void Post(SendOrPostCallback d, object? state) => Interlocked.Increment(ref _postedCount);

        public override void Send(SendOrPostCallback d, object? state) => Interlocked.Increment(ref _postedCount);
    }
}
