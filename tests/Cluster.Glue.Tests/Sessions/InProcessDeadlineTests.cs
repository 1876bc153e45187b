using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Deadlines of calls within the process, which begin on their caller's thread.</summary>
public sealed class InProcessDeadlineTests : IAsyncLifetime, IAsyncDisposable
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(200);

    private readonly ManualTimeProvider _time = new();
    private readonly string _name = "d" + Guid.NewGuid().ToString("N");
    private GlueHost _host = null!;
    private GlueClient _client = null!;

    public Task InitializeAsync() => Task.CompletedTask;

    Task IAsyncLifetime.DisposeAsync() => DisposeAsync().AsTask();

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _host.DisposeAsync();
    }

    [Theory]
    [InlineData(GlueInProcessMode.ShareObjects)]
    [InlineData(GlueInProcessMode.Serialize)]
    [Trait("Case", "repair-B4")]
    public async Task DeadlineThatPassesWhileTheMethodKeepsTheThread_FailsTheCall(GlueInProcessMode mode)
    {
        var outer = await StartAsync(mode);
        _host.Services.GetRequiredService<Outer>().During = () => _time.Advance(Short + GlueLimits.TickInterval);
        using (GlueCall.WithDeadline(Short))
        {
            var failure = await Assert.ThrowsAsync<GlueException>(() => outer.RunAsync());
            Assert.Equal(GlueErrorCode.DeadlineAwaitingReply, failure.Code);
        }
    }

    /// <summary>Less than a tick late: the clock of the calls has not found out yet.</summary>
    [Theory]
    [InlineData(GlueInProcessMode.ShareObjects)]
    [InlineData(GlueInProcessMode.Serialize)]
    [Trait("Case", "repair-B4")]
    public async Task CallsOfAMethodWhoseTimeIsOver_AreNotMade(GlueInProcessMode mode)
    {
        var outer = await StartAsync(mode);
        var service = _host.Services.GetRequiredService<Outer>();
        GlueException? refused = null;
        service.During = () =>
        {
            _time.Advance(Short);
            var inner = _client.CreateProxy<IInner>("inproc://" + _name).CountAsync();
            refused = Assert.IsType<GlueException>(inner.Exception?.InnerException);
        };
        using (GlueCall.WithDeadline(Short))
            await Assert.ThrowsAsync<GlueException>(() => outer.RunAsync());
        Assert.Equal(GlueErrorCode.DeadlineBeforeSend, refused?.Code);
        Assert.Equal(0, service.Counted);
    }

    private async Task<IOuter> StartAsync(GlueInProcessMode mode)
    {
        _host = await GlueHost.StartAsync(
            options =>
            {
                options.TimeProvider = _time;
                options.InProcessName = _name;
                options.InProcessMode = mode;
            },
            static glue => glue.AddService<IOuter, Outer>(GlueInstanceMode.Singleton)
                .AddService<IInner, Outer>(GlueInstanceMode.Singleton));
        _client = new GlueClient(new GlueClientOptions { TimeProvider = _time });
        return _client.CreateProxy<IOuter>("inproc://" + _name);
    }

    public interface IOuter
    {
        Task RunAsync();
    }

    public interface IInner
    {
        Task<int> CountAsync();
    }

    internal sealed class Outer : IOuter, IInner
    {
        public Action During { get; set; } = static () => { };

        public int Counted { get; private set; }

        public Task RunAsync()
        {
            During();
            return Task.CompletedTask;
        }

        public Task<int> CountAsync() => Task.FromResult(++Counted);
    }
}
