using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Stream arguments of calls that nobody waits for any more: nothing is made for them.</summary>
public sealed class LateStreamTests : DisturbedLinkTests
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(200);

    private readonly ManualTimeProvider _time = new();
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _made;

    private Storm Storm => Host.Services.GetRequiredService<Storm>();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Case", "repair-B4")]
    public async Task ProducerOfACallThatEnded_IsClosed_AndItsReaderIsNotToldThatAllCame(bool isCancelled)
    {
        using var stop = new CancellationTokenSource();
        var call = Call(waits: false, stop.Token);
        // The call, and the first item.
        Assert.True(await Storm.Begun.WaitAsync(Bound));
        Assert.True(await Storm.Begun.WaitAsync(Bound));
        await EndAsync(call, isCancelled, stop);
        await _closed.Task.WaitAsync(Bound);
        Assert.IsAssignableFrom<OperationCanceledException>(await Storm.Reading.Task.WaitAsync(Bound));
        Assert.Equal(1, _made);
    }

    [Fact]
    [Trait("Case", "repair-B4")]
    public async Task StreamThatIsReadAfterTheDeadline_IsNeverBegun()
    {
        using var stop = new CancellationTokenSource();
        var call = Call(waits: true, stop.Token);
        Assert.True(await Storm.Begun.WaitAsync(Bound));
        await EndAsync(call, isCancelled: false, stop);
        Storm.MayRead.SetResult();
        Assert.IsAssignableFrom<OperationCanceledException>(await Storm.Reading.Task.WaitAsync(Bound));
        Assert.Equal(0, _made);
    }

    /// <summary>The end of the stream overtakes the call that hands it over.</summary>
    [Fact]
    [Trait("Case", "repair-B4")]
    public async Task StreamOfACallThatComesLate_IsNeverBegun()
    {
        var storm = Proxy<IStorm>();
        await storm.RemainingAsync([]).WaitAsync(Bound);
        Faults.Hold(CallsStream);
        using var stop = new CancellationTokenSource();
        var call = Call(waits: true, stop.Token);
        await EndAsync(call, isCancelled: false, stop);
        Faults.Release(CallsStream);
        await storm.RemainingAsync([]).WaitAsync(Bound);
        Storm.MayRead.SetResult();
        // It came with no time left, or was cancelled behind: as a rule it does not even begin.
        if (await Storm.Begun.WaitAsync(0))
            Assert.IsAssignableFrom<OperationCanceledException>(await Storm.Reading.Task.WaitAsync(Bound));
        Assert.Equal(0, _made);
    }

    private Task<int> Call(bool waits, CancellationToken cancellationToken)
    {
        using (GlueCall.WithDeadline(Short))
            return Proxy<ICancellableStorm>().CountAsync(ItemsAsync(CancellationToken.None), waits, cancellationToken);
    }

    private async Task EndAsync(Task<int> call, bool isCancelled, CancellationTokenSource stop)
    {
        if (isCancelled)
            await stop.CancelAsync();
        else
            _time.Advance(Short + GlueLimits.TickInterval);
        var end = await Assert.ThrowsAnyAsync<Exception>(() => call.WaitAsync(Bound));
        Assert.True(isCancelled ? end is OperationCanceledException : end is GlueException { Kind: GlueErrorKind.Deadline });
    }

    private async IAsyncEnumerable<int> ItemsAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        try
        {
            while (true)
            {
                Interlocked.Increment(ref _made);
                yield return 1;
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            }
        }
        finally
        {
            _closed.TrySetResult();
        }
    }

    private protected override IEnumerable<ManualTimeProvider> Clocks => [_time];

    private protected override Task<GlueHost> StartHostAsync() =>
        GlueHost.StartAsync(addServices: static glue =>
        {
            GlueHost.AddSemanticServices(glue);
            glue.AddService<IStorm, Storm>(GlueInstanceMode.Singleton)
                .AddService<ICancellableStorm, CancellableStorm>(GlueInstanceMode.Singleton);
        });

    private protected override void ConfigureClient(GlueClientOptions options) => options.TimeProvider = _time;

    public interface ICancellableStorm
    {
        Task<int> CountAsync(IAsyncEnumerable<int> items, bool waits, CancellationToken cancellationToken);
    }

    internal sealed class CancellableStorm(Storm storm) : ICancellableStorm
    {
        public Task<int> CountAsync(IAsyncEnumerable<int> items, bool waits, CancellationToken cancellationToken) =>
            storm.CountAsync(items, waits);
    }
}
