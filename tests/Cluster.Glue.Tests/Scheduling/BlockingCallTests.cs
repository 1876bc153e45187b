using Cluster.Glue.Scheduling;
using Cluster.Glue.Tests.Sessions;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Scheduling;

/// <summary>Synchronous contracts, and how many threads may wait in them.</summary>
public sealed class BlockingCallTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    /// <summary>With the options as they come.</summary>
    [Fact]
    [Trait("Case", "repair-B4")]
    public async Task SynchronousCalls_InAParallelLoop_AllSucceed()
    {
        await using var host = await GlueHost.StartAsync(
            addServices: static glue => glue.AddService<IStorm, Storm>(GlueInstanceMode.Singleton));
        await using var client = new GlueClient(new GlueClientOptions { DefaultDeadline = TimeSpan.FromMinutes(1) });
        var storm = client.CreateProxy<IStorm>(host.Address);
        Assert.Equal(2, storm.Twice(1));
        var sum = 0;
        // Each of them holds a thread of the pool, which the server of this test needs as well. The pool adds such
        // threads by itself, but only two a second.
        var loop = new ParallelOptions { MaxDegreeOfParallelism = 16 };
        ThreadPool.GetMinThreads(out var workers, out var ports);
        ThreadPool.SetMinThreads(Math.Max(workers, 32), ports);
        try
        {
            Parallel.For(0, 200, loop, i => Interlocked.Add(ref sum, storm.Twice(i)));
        }
        finally
        {
            ThreadPool.SetMinThreads(workers, ports);
        }

        Assert.Equal(200 * 199, sum);
    }

    [Fact]
    [Trait("Case", "repair-B4")]
    public void DefaultLimit_IsFarAboveTheCores() =>
        Assert.InRange(new GlueClientOptions().MaxBlockingCalls, 64, 16 * Math.Max(4, Environment.ProcessorCount));

    [Fact]
    [Trait("Case", "repair-B4")]
    public async Task OneThreadTooMany_WaitsForItsTurn_OrUntilItsDeadline()
    {
        var time = new ManualTimeProvider();
        var calls = new BlockingCalls(1, time);
        // Held by nobody in particular: leaving is what counts.
        Assert.True(await Task.Run(() => calls.TryEnter(TimeSpan.Zero, CancellationToken.None)));
        var late = Task.Run(() => calls.TryEnter(TimeSpan.FromSeconds(1), CancellationToken.None));
        await Eventually.TrueAsync(() => time.ArmedTimerCount == 1, Bound);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(await late.WaitAsync(Bound));

        var inTime = Task.Run(() => calls.TryEnter(TimeSpan.FromSeconds(1), CancellationToken.None));
        await Eventually.TrueAsync(() => time.ArmedTimerCount == 1, Bound);
        await Task.Run(calls.Leave);
        Assert.True(await inTime.WaitAsync(Bound));
        using var stop = new CancellationTokenSource();
        var given = Task.Run(() => calls.TryEnter(TimeSpan.FromSeconds(1), stop.Token));
        await Eventually.TrueAsync(() => time.ArmedTimerCount == 1, Bound);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given.WaitAsync(Bound));
        // The ones that gave up hold nothing.
        await Task.Run(calls.Leave);
        Assert.True(await Task.Run(() => calls.TryEnter(TimeSpan.Zero, CancellationToken.None)));
    }

    [Fact]
    [Trait("Case", "repair-B4")]
    public async Task TurnThatDoesNotComeInTime_IsNamedWithItsRemedies()
    {
        await using var host = await GlueHost.StartAsync(
            addServices: static glue => glue.AddService<IStorm, Storm>(GlueInstanceMode.Singleton));
        await using var client = new GlueClient(new GlueClientOptions { MaxBlockingCalls = 1, DefaultDeadline = Bound });
        var storm = client.CreateProxy<IStorm>(host.Address);
        var holding = Task.Run(storm.WaitHere);
        var services = host.Services.GetRequiredService<Storm>();
        await Eventually.TrueAsync(() => services.Running == 1, Bound);
        var refused = await Task.Run(() =>
        {
            using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(50)))
                return Assert.Throws<GlueException>(() => storm.Twice(1));
        }).WaitAsync(Bound);
        Assert.Equal(
            (GlueErrorCode.BlockingCallsLimit, GlueDelivery.NotDelivered), (refused.Code, refused.Delivery));
        foreach (var part in (string[])["MaxBlockingCalls", "MaxDegreeOfParallelism", "returns a task"])
            Assert.Contains(part, refused.Message, StringComparison.Ordinal);
        services.Passage.Set();
        await holding.WaitAsync(Bound);
    }
}
