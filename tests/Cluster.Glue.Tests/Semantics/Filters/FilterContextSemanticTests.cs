using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics.Filters;

/// <summary>What filters meet around a call: headers, cancellation, containers, instances, streams, selectors.
/// Acceptance case 57.</summary>
public abstract class FilterContextSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly TestFilters _filters = new(binding.Kind);

    private IFiltered Service => Proxy<IFiltered>(_filters.Endpoint);

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task Filters_SeeAndChangeHeaders_BothWays()
    {
        _filters.Do("client binding", async (context, proceed) =>
        {
            Assert.Equal("caller", context.Headers.FindText("who"));
            context.Headers.Set("where", "client");
            await proceed(context);
            Assert.Equal("answered", context.ReplyHeaders.FindText("service"));
            Assert.Equal("server", context.ReplyHeaders.FindText("filter"));
            context.ReplyHeaders.Set("last", "client");
        });
        _filters.Do("server binding", async (context, proceed) =>
        {
            var before = $"{context.Headers.FindText("who")} {context.Headers.FindText("where")}";
            context.Headers.Set("where", $"{before} server");
            await proceed(context);
            context.ReplyHeaders.Set("filter", "server");
        });
        using var scope = GlueCall.WithHeaders(new GlueHeaders().Set("who", "caller"));
        Assert.Equal("caller client server", await Service.HeaderAsync("where"));
        Assert.Equal(["filter", "last", "service"], scope.Reply!.Names.Order());
        Assert.Equal(["who"], scope.Request.Names);
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task Filters_WithoutACallersHeaders_HaveTheirOwn()
    {
        string? answered = null;
        _filters.Do("client endpoint", async (context, proceed) =>
        {
            await proceed(context);
            answered = context.ReplyHeaders.FindText("service");
        });
        Assert.Null(await Service.HeaderAsync("any"));
        Assert.Equal("answered", answered);
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task Cancellation_PassesThroughFilters()
    {
        using var source = new CancellationTokenSource();
        var tokens = new List<CancellationToken>();
        _filters.Do("client endpoint", async (context, proceed) =>
        {
            Assert.Equal(source.Token, context.CancellationToken);
            await proceed(context);
        });
        _filters.Do("server endpoint", async (context, proceed) =>
        {
            tokens.Add(context.CancellationToken);
            await proceed(context);
        });
        var waiting = Service.WaitAsync(source.Token);
        await Eventually.TrueAsync(() => _filters.Lines.Contains("service waits"), Bound);
        await source.CancelAsync();
        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Equal(source.Token, cancelled.CancellationToken);
        await Eventually.TrueAsync(() => tokens[0].IsCancellationRequested, Bound);
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task FiltersMadeByTheContainer_GetWhatTheyNeed()
    {
        var services = new ServiceCollection();
        services.AddSingleton(_filters.Trace);
        services.AddGlueClient(options =>
        {
            options.DefaultDeadline = DefaultDeadline;
            options.ConnectTimeout = DefaultDeadline;
            Binding.Configure(options);
        });
        services.AddGlueClient<IFiltered>(Target).AddFilter<MadeFilter>();
        await using var provider = services.BuildServiceProvider();
        Assert.Equal("made", await provider.GetRequiredService<IFiltered>().SameAsync("made"));
        // One of the caller's, and one of the service's.
        Assert.Equal(["made", "made"], _filters.LinesOf("made"));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task FilterOfTheService_ReachesTheScopeOfTheCall()
    {
        Guid seen = default;
        _filters.Do("server endpoint", async (context, proceed) =>
        {
            seen = context.Services!.GetRequiredService<ScopeMark>().Id;
            await proceed(context);
        });
        Assert.Equal(await Service.ScopeAsync(), seen);
        Assert.NotEqual(seen, await Service.ScopeAsync());
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task Instances_AreFiltered_AndOneWhoseConstructorDidNotRunIsNone()
    {
        var sessions = Proxy<IFilteredSession>(_filters.Endpoint);
        _filters.Do("server process", (_, _) => ValueTask.CompletedTask);
        Assert.Equal(default, await sessions.OpenAsync(0));
        _filters.Do("server process", (_, _) => throw new InvalidOperationException());
        await Assert.ThrowsAsync<InvalidOperationException>(() => sessions.OpenAsync(0));
        _filters.Do("server process", async (context, proceed) =>
        {
            await proceed(context);
            Assert.NotEqual(default, Assert.IsType<GlueInstance>(context.Result));
            throw new InvalidOperationException();
        });
        await Assert.ThrowsAsync<InvalidOperationException>(() => sessions.OpenAsync(0));
        _filters.Do("server process", null);

        // There is room for one only.
        var session = sessions.At(await sessions.OpenAsync(40));
        _filters.Do("client process", async (context, proceed) =>
        {
            context.Arguments[0] = 2;
            await proceed(context);
        });
        Assert.Equal(42, await session.AddAsync(1));
        _filters.Do("client process", null);
        await session.CloseAsync();
        var gone = await Assert.ThrowsAsync<GlueException>(() => session.AddAsync(1));
        Assert.Equal(GlueErrorCode.NoSuchInstance, gone.Code);
    }

    [Theory]
    [InlineData("client endpoint")]
    [InlineData("server endpoint")]
    [Trait("Case", "glue-57")]
    public async Task Streams_AreFiltered_AsArgumentsAndResults(string where)
    {
        _filters.Do(where, async (context, proceed) =>
        {
            if (context.Arguments[0] is IAsyncEnumerable<int> numbers)
                context.Arguments[0] = numbers.Select(number => 10 * number);
            await proceed(context);
            if (context.Result is IAsyncEnumerable<int> counted)
                context.Result = counted.Select(number => number + 1);
        });
        var counted = await Service.CountAsync(3).ToArrayAsync();
        Assert.Equal([2, 3, 4], counted);
        Assert.Equal(60, await Service.SumAsync(Enumerable.Range(1, 3).ToAsyncEnumerable()));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task ProxiesWithASelector_AreFiltered()
    {
        var service = Client.CreateProxy<IFiltered>(new InOrder(Target), _filters.Endpoint);
        _filters.Do("client binding", async (context, proceed) =>
        {
            context.Arguments[0] = (int)context.Binding;
            await proceed(context);
        });
        Assert.Equal((int)Binding.Kind + 2, await service.AddAsync(1, 2));
    }

    public override void ConfigureServer(GlueServerOptions options) => _filters.AddTo(options);

    public override void ConfigureClient(GlueClientOptions options) => _filters.AddTo(options);

    private protected override void AddServices(GlueServerBuilder glue) => _filters.AddServices(glue);
}
