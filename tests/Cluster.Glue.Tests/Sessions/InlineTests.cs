using Cluster.Glue.Tests.Substreams;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Methods that run where their connection is read.</summary>
public sealed class InlineTests : IAsyncLifetime, IDisposable
{
    private const int InlineEndedId = 1011;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly ManualTimeProvider _time = new();
    private readonly LogRecorder _logs = new();
    private readonly GlueClient _client = new();
    private GlueHost _host = null!;
    private IQuick _quick = null!;

    /// <summary>Methods that tell whether they run on the read loop; their names tell which of them ask for
    /// it.</summary>
    public interface IQuick
    {
        Task<bool> InlineAsync();

        Task<bool> InlineGenericAsync<T>(T value);

        Task<bool> InlineSlowAsync(int milliseconds);

        Task<(bool Before, bool After)> InlineThenAwaitAsync();

        Task<bool> InlineFailingAsync();

        Task<bool> PlainAsync();
    }

    public async Task InitializeAsync()
    {
        _logs.Allow(InlineEndedId);
        _host = await GlueHost.StartAsync(
            options => options.TimeProvider = _time,
            glue =>
            {
                glue.Services.AddSingleton(_time);
                glue.Services.AddLogging(logging => logging.AddProvider(_logs.Provider));
                glue.AddService<IQuick, Quick>();
            });
        _quick = _client.CreateProxy<IQuick>(_host.Address);
    }

    public async Task DisposeAsync()
    {
        await _client.DisposeAsync();
        await _host.DisposeAsync();
    }

    public void Dispose() => _logs.Dispose();

    [Fact]
    public async Task Method_ThatAsksForIt_RunsOnTheReadLoop_OthersDoNot()
    {
        await WarmUpAsync(_quick.InlineAsync);
        await WarmUpAsync(() => _quick.InlineGenericAsync("x"));
        // Not the first one only, which runs on the pool in any case.
        for (var i = 0; i < 100; i++)
            Assert.False(await _quick.PlainAsync());
        Assert.All(await Task.WhenAll(Enumerable.Range(0, 1000).Select(_ => _quick.InlineAsync())), Assert.True);
    }

    [Fact]
    public async Task Method_ThatTakesTooLong_IsLogged_AndRunsOnThePoolFromThenOn_OthersGoOn()
    {
        await WarmUpAsync(_quick.InlineAsync);
        await WarmUpAsync(() => _quick.InlineSlowAsync(1));
        Assert.True(await _quick.InlineSlowAsync(1));
        Assert.True(await _quick.InlineSlowAsync(2));
        for (var i = 0; i < 10; i++)
            Assert.False(await _quick.InlineSlowAsync(0));
        Assert.True(await _quick.InlineAsync());
        LogEntry entry = Assert.Single(_logs.Entries, entry => entry.Event.Id == InlineEndedId);
        Assert.Contains(nameof(IQuick.InlineSlowAsync), entry.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Method_BehindAnAwaitThatWaits_RunsOnThePool()
    {
        await WarmUpAsync(async () => (await _quick.InlineThenAwaitAsync()).Before);
        Assert.Equal((true, false), await _quick.InlineThenAwaitAsync());
    }

    [Fact]
    public async Task Method_ThatFails_FailsItsCallOnly()
    {
        // Once on the pool, then on the read loop.
        for (var i = 0; i < 100; i++)
            await Assert.ThrowsAsync<InvalidOperationException>(_quick.InlineFailingAsync);
        await WarmUpAsync(_quick.InlineAsync);
    }

    // The first call of a method runs on the pool, and so may one that comes before its end is noted.
    private static Task WarmUpAsync(Func<Task<bool>> call) =>
        Eventually.TrueAsync(() => new ValueTask<bool>(call()), Bound, "a call on the read loop");

    /// <summary>Says where it runs.</summary>
    internal sealed class Quick(ManualTimeProvider time) : IQuick
    {
        [RunInline]
        public Task<bool> InlineAsync() => Task.FromResult(ReadLoop.IsHere);

        [RunInline]
        public Task<bool> InlineGenericAsync<T>(T value) => Task.FromResult(ReadLoop.IsHere);

        [RunInline]
        public Task<bool> InlineSlowAsync(int milliseconds)
        {
            time.Advance(TimeSpan.FromMilliseconds(milliseconds));
            return Task.FromResult(ReadLoop.IsHere);
        }

        [RunInline]
        public async Task<(bool Before, bool After)> InlineThenAwaitAsync()
        {
            var before = ReadLoop.IsHere;
            await Task.Yield();
            return (before, ReadLoop.IsHere);
        }

        [RunInline]
        public Task<bool> InlineFailingAsync() => throw new InvalidOperationException("It was told to fail.");

        public Task<bool> PlainAsync() => Task.FromResult(ReadLoop.IsHere);
    }
}
