using Cluster.Glue.Filters;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics.Filters;

/// <summary>Filters that fail, that meet failures, and that go about calls in a wrong way. Acceptance case
/// 57.</summary>
public abstract class FilterFailureSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly TestFilters _filters = new(binding.Kind);

    private IFiltered Service => Proxy<IFiltered>(_filters.Endpoint);

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task FilterThatThrows_FailsItsCallOnly()
    {
        var local = new InvalidOperationException("local");
        _filters.Do("client binding", (_, _) => throw local);
        Assert.Same(local, await Assert.ThrowsAsync<InvalidOperationException>(() => Service.AddAsync(1, 2)));
        Assert.Same(local, Assert.Throws<InvalidOperationException>(() => Service.Add(1, 2)));
        _filters.Do("client binding", null);

        _filters.Do("server binding", (_, _) => throw new InvalidOperationException("remote"));
        var remote = await Assert.ThrowsAsync<InvalidOperationException>(() => Service.AddAsync(1, 2));
        Assert.Equal("remote", remote.Message);
        var failed = 0;
        _filters.Do("server binding", (_, _) =>
        {
            Interlocked.Increment(ref failed);
            throw new UnlistedException();
        });
        var unknown = await Assert.ThrowsAsync<RemoteException>(() => Service.AddAsync(1, 2));
        Assert.EndsWith(nameof(UnlistedException), unknown.TypeName, StringComparison.Ordinal);
        await Service.TellAsync("lost");
        await Eventually.TrueAsync(() => Volatile.Read(ref failed) == 2, Bound);
        _filters.Do("server binding", null);
        Assert.Equal(3, await Service.AddAsync(1, 2));
        Assert.Equal(["service 1 2"], _filters.LinesOf("service"));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task FilterThatRefuses_SaysWhatTheCallerCanDo()
    {
        _filters.Do("server endpoint", (_, _) => throw new GlueException(
            GlueErrorKind.Overloaded, GlueDelivery.NotDelivered, GlueErrorCode.ServerOverloaded, "not today"));
        var refusal = await Assert.ThrowsAsync<GlueException>(() => Service.AddAsync(1, 2));
        Assert.Equal(
            (GlueErrorKind.Overloaded, GlueDelivery.NotDelivered, GlueErrorCode.ServerOverloaded, "not today"),
            (refusal.Kind, refusal.Delivery, refusal.Code, refusal.Message));
    }

    [Theory]
    [InlineData("client process")]
    [InlineData("server process")]
    [Trait("Case", "glue-57")]
    public async Task FailureOfTheService_IsSeenByFilters_WhichMayReplaceIt(string where)
    {
        _filters.Do(where, async (context, proceed) =>
        {
            var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => proceed(context).AsTask());
            throw new ArgumentOutOfRangeException(failure.Message);
        });
        var replaced = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Service.FailAsync("broken"));
        Assert.Equal("broken", replaced.ParamName);
        _filters.Do(where, async (context, proceed) =>
            await Assert.ThrowsAsync<InvalidOperationException>(() => proceed(context).AsTask()));
        await Service.FailAsync("forgiven");
    }

    [Theory]
    [InlineData("client endpoint")]
    [InlineData("server endpoint")]
    [Trait("Case", "glue-57")]
    public async Task Filter_ThatMakesAMistake_IsTold(string where)
    {
        var message = await MistakeAsync(where, (context, _) => Now(() => context.Arguments[0] = "one"));
        Assert.Contains("Argument 0", message, StringComparison.Ordinal);
        message = await MistakeAsync(where, (context, _) => Now(() => context.Arguments[0] = null));
        Assert.Contains("null cannot take its place", message, StringComparison.Ordinal);
        message = await MistakeAsync(where, (context, _) => Now(() => context.Result = "three"));
        Assert.Contains("returns System.Int32", message, StringComparison.Ordinal);
        // One after the other: of two at once, whichever is second behind a filter that yields would fail.
        message = await MistakeAsync(where, (context, proceed) => proceed(context));
        Assert.Contains("proceeded twice", message, StringComparison.Ordinal);
        Assert.Equal(3, await Service.AddAsync(1, 2));
        Assert.Equal(["service 1 2", "service 1 2"], _filters.LinesOf("service"));
    }

    [Theory]
    [InlineData("client endpoint")]
    [InlineData("server process")]
    [Trait("Case", "glue-57")]
    public async Task LastFilter_ThatDoesNotWait_IsWaitedFor(string where)
    {
        _filters.Do(where, (context, proceed) =>
        {
            _ = proceed(context).AsTask();
            return ValueTask.CompletedTask;
        });
        Assert.Equal("x", await Service.EchoAsync("x"));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task FilterThatThrows_WhileTheMethodRuns_FailsTheCallAfterwards()
    {
        _filters.Do("server process", (context, proceed) =>
        {
            _ = proceed(context).AsTask();
            throw new InvalidOperationException("impatient");
        });
        using var source = new CancellationTokenSource();
        var waiting = Service.WaitAsync(source.Token);
        await Eventually.TrueAsync(() => _filters.Lines.Contains("service waits"), Bound);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }

    [Theory]
    [InlineData("client process", "client endpoint")]
    [InlineData("server endpoint", "server process")]
    [Trait("Case", "glue-57")]
    public async Task FilterThatIsLate_BecauseNobodyWaited_DoesNotMakeTheCall(string hasty, string late)
    {
        var gate = new TaskCompletionSource();
        Task? left = null;
        _filters.Do(hasty, (context, proceed) =>
        {
            left = proceed(context).AsTask();
            return ValueTask.CompletedTask;
        });
        _filters.Do(late, async (context, proceed) =>
        {
            await gate.Task;
            await proceed(context);
        });
        Assert.Null(await Service.EchoAsync("x"));
        gate.SetResult();
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(() => left!.WaitAsync(Bound));
        Assert.Contains("after the call", exception.Message, StringComparison.Ordinal);
        Assert.Empty(_filters.LinesOf("service"));
        _filters.Do(hasty, null);
        Assert.Equal("x", await Service.EchoAsync("x"));
    }

    public override void ConfigureServer(GlueServerOptions options) => _filters.AddTo(options);

    public override void ConfigureClient(GlueClientOptions options) => _filters.AddTo(options);

    private protected override void AddServices(GlueServerBuilder glue) => _filters.AddServices(glue);

    private static ValueTask Now(Action mistake)
    {
        mistake();
        return ValueTask.CompletedTask;
    }

    /// <summary>What the caller is told of a filter's mistake.</summary>
    private async Task<string> MistakeAsync(
        string where, Func<GlueCallContext, Func<GlueCallContext, ValueTask>, ValueTask> mistake)
    {
        _filters.Do(where, async (context, proceed) =>
        {
            await mistake(context, proceed);
            await proceed(context);
        });
        var exception = await Assert.ThrowsAnyAsync<Exception>(() => Service.AddAsync(1, 2));
        _filters.Do(where, null);
        return exception.Message;
    }
}
