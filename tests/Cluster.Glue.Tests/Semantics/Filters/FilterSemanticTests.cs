using Cluster.Contracts;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics.Filters;

/// <summary>What filters see and may do. Acceptance cases 56 and 57.</summary>
public abstract class FilterSemanticTests : SemanticTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly string[] Levels = ["process", "binding", "endpoint"];

    private readonly FilterTrace _trace = new();
    private readonly Dictionary<string, TestFilter> _filters;

    protected FilterSemanticTests(SemanticBinding binding)
        : base(binding)
        => _filters = new[] { "client", "server" }
            .SelectMany(side => Levels.Select(level => $"{side} {level}"))
            .ToDictionary(name => name, name => new TestFilter(_trace, name));

    private GlueProxyOptions Endpoint
    {
        get
        {
            var options = new GlueProxyOptions();
            options.Filters.Add(_filters["client endpoint"]);
            return options;
        }
    }

    private IFiltered Service => Proxy<IFiltered>(Endpoint);

    public static TheoryData<string> Shapes => new(Calls.Keys);

    private static Dictionary<string, Func<IFiltered, Task>> Calls { get; } = new()
    {
        ["void"] = service => Run(() => service.Touch("x")),
        ["T"] = service => Run(() => service.Add(1, 2)),
        ["Task"] = service => service.PutAsync("x"),
        ["Task<T>"] = service => service.AddAsync(1, 2, default),
        ["ValueTask"] = service => service.PutQuicklyAsync("x").AsTask(),
        ["ValueTask<T>"] = service => service.EchoAsync("x").AsTask(),
        ["one-way"] = service => service.TellAsync("x"),
        ["one-way void"] = service => Run(() => service.Mention("x")),
        ["generic"] = service => service.SameAsync("x"),
    };

    [Theory]
    [MemberData(nameof(Shapes))]
    [Trait("Case", "glue-56")]
    public async Task Filters_OfAllLevels_RunInOrder_AndBackAgain(string shape)
    {
        await Calls[shape](Service);
        await Eventually.TrueAsync(() => _trace.Lines.Length == 13, Bound);
        string[] sent = [.. Levels.Select(level => $"client {level} in")];
        string[] received = [.. Levels.Reverse().Select(level => $"server {level} in"), "service"];
        string[] answered = [.. Levels.Select(level => $"server {level} out")];
        string[] returned = [.. Levels.Reverse().Select(level => $"client {level} out")];
        // The caller of a one-way method does not wait for the rest.
        if (shape.StartsWith("one-way", StringComparison.Ordinal))
        {
            Assert.Equal([.. sent, .. returned], StepsOf("client"));
            Assert.Equal([.. received, .. answered], StepsOf("serv"));
        }
        else
        {
            Assert.Equal([.. sent, .. received, .. answered, .. returned], StepsOf(""));
        }
    }

    [Fact]
    [Trait("Case", "glue-56")]
    public async Task FiltersOfABinding_SeeItsCallsOnly()
    {
        var seen = new List<GlueBinding>();
        Do("client binding", async (context, proceed) =>
        {
            seen.Add(context.Binding);
            await proceed(context);
        });
        Do("server binding", async (context, proceed) =>
        {
            seen.Add(context.Binding);
            await proceed(context);
        });
        Assert.Equal(3, await Service.AddAsync(1, 2));
        Assert.Equal([Binding.Kind, Binding.Kind], seen);
        Assert.DoesNotContain("other binding in", _trace.Lines);
    }

    [Theory]
    [InlineData("client process")]
    [InlineData("client endpoint")]
    [InlineData("server endpoint")]
    [InlineData("server process")]
    [Trait("Case", "glue-57")]
    public async Task Filter_ChangesArguments_AndReplacesTheResult(string where)
    {
        Do(where, async (context, proceed) =>
        {
            Assert.Equal((2, false), (context.Arguments.Count, context.IsOneWay));
            Assert.Equal((typeof(IFiltered), "AddAsync"), (context.Contract, context.Method.Name));
            Assert.Equal([1, 2], context.Arguments);
            Assert.Null(context.Result);
            context.Arguments[1] = 40;
            await proceed(context);
            Assert.Equal(41, context.Result);
            context.Result = 42;
        });
        Assert.Equal(42, await Service.AddAsync(1, 2));
        Assert.Contains("service 1 40", _trace.Lines);
        Do(where, null);
        Assert.Equal(3, await Service.AddAsync(1, 2));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task Filters_OfBothSides_BuildOnEachOther()
    {
        foreach (TestFilter filter in _filters.Values)
        {
            filter.Work = async (context, proceed) =>
            {
                await Task.Yield();
                context.Arguments[0] += "+";
                await proceed(context);
                await Task.Yield();
                context.Result += "-";
            };
        }

        Assert.Equal("x++++++------", await Service.EchoAsync("x"));
        Assert.Equal("x++++++------", await Service.SameAsync("x"));
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    [Trait("Case", "glue-57")]
    public async Task FilterOfTheCaller_ThatDoesNotProceed_AnswersItself(string shape)
    {
        Do("client endpoint", (_, _) => ValueTask.CompletedTask);
        await Calls[shape](Service);
        await Service.FailAsync("not even sent");
        Assert.DoesNotContain("server endpoint in", _trace.Lines);
        Do("client endpoint", (context, _) =>
        {
            context.Result = context.Method.ReturnType == typeof(ValueTask<string?>) ? "cached" : 7;
            return ValueTask.CompletedTask;
        });
        Assert.Equal((7, "cached"), (Service.Add(1, 2), await Service.EchoAsync("x")));
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    [Trait("Case", "glue-57")]
    public async Task FilterOfTheService_ThatDoesNotProceed_AnswersItself(string shape)
    {
        Do("server binding", (_, _) => ValueTask.CompletedTask);
        await Calls[shape](Service);
        await Service.FailAsync("not even called");
        await Eventually.TrueAsync(() => LinesOf("server endpoint").Length == 4, Bound);
        Assert.Empty(LinesOf("service"));
        Do("server binding", (context, _) =>
        {
            context.Result = 7;
            return ValueTask.CompletedTask;
        });
        Assert.Equal(7, await Service.AddAsync(1, 2));
        Do("server binding", (_, _) => ValueTask.CompletedTask);
        Assert.Equal(0, await Service.AddAsync(1, 2));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task FilterThatThrows_FailsItsCallOnly()
    {
        var local = new InvalidOperationException("local");
        Do("client binding", (_, _) => throw local);
        Assert.Same(local, await Assert.ThrowsAsync<InvalidOperationException>(() => Service.AddAsync(1, 2)));
        Assert.Same(local, Assert.Throws<InvalidOperationException>(() => Service.Add(1, 2)));
        Do("client binding", null);

        Do("server binding", (_, _) => throw new InvalidOperationException("remote"));
        var remote = await Assert.ThrowsAsync<InvalidOperationException>(() => Service.AddAsync(1, 2));
        Assert.Equal("remote", remote.Message);
        int failed = 0;
        Do("server binding", (_, _) =>
        {
            Interlocked.Increment(ref failed);
            throw new UnlistedException();
        });
        var unknown = await Assert.ThrowsAsync<RemoteException>(() => Service.AddAsync(1, 2));
        Assert.EndsWith(nameof(UnlistedException), unknown.TypeName, StringComparison.Ordinal);
        await Service.TellAsync("lost");
        await Eventually.TrueAsync(() => Volatile.Read(ref failed) == 2, Bound);
        Do("server binding", null);
        Assert.Equal(3, await Service.AddAsync(1, 2));
        Assert.Equal(["service 1 2"], LinesOf("service"));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task FilterThatRefuses_SaysWhatTheCallerCanDo()
    {
        Do("server endpoint", (_, _) => throw new GlueException(
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
        Do(where, async (context, proceed) =>
        {
            var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => proceed(context).AsTask());
            throw new ArgumentOutOfRangeException(failure.Message);
        });
        var replaced = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Service.FailAsync("broken"));
        Assert.Equal("broken", replaced.ParamName);
        Do(where, async (context, proceed) =>
            await Assert.ThrowsAsync<InvalidOperationException>(() => proceed(context).AsTask()));
        await Service.FailAsync("forgiven");
    }

    [Theory]
    [InlineData("client endpoint")]
    [InlineData("server endpoint")]
    [Trait("Case", "glue-57")]
    public async Task Filter_ThatMakesAMistake_IsTold(string where)
    {
        string message = await MistakeAsync(where, (context, _) => context.Arguments[0] = "one");
        Assert.Contains("Argument 0", message, StringComparison.Ordinal);
        message = await MistakeAsync(where, (context, _) => context.Arguments[0] = null);
        Assert.Contains("null cannot take its place", message, StringComparison.Ordinal);
        message = await MistakeAsync(where, (context, _) => context.Result = "three");
        Assert.Contains("returns System.Int32", message, StringComparison.Ordinal);
        message = await MistakeAsync(where, (context, proceed) => proceed(context).AsTask());
        Assert.Contains("proceeded twice", message, StringComparison.Ordinal);
        Assert.Equal(3, await Service.AddAsync(1, 2));
        Assert.Equal(["service 1 2", "service 1 2"], LinesOf("service"));
    }

    [Theory]
    [InlineData("client endpoint")]
    [InlineData("server process")]
    [Trait("Case", "glue-57")]
    public async Task LastFilter_ThatDoesNotWait_IsWaitedFor(string where)
    {
        Do(where, (context, proceed) =>
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
        Do("server process", (context, proceed) =>
        {
            _ = proceed(context).AsTask();
            throw new InvalidOperationException("impatient");
        });
        using var source = new CancellationTokenSource();
        Task waiting = Service.WaitAsync(source.Token);
        await Eventually.TrueAsync(() => _trace.Lines.Contains("service waits"), Bound);
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
        Do(hasty, (context, proceed) =>
        {
            left = proceed(context).AsTask();
            return ValueTask.CompletedTask;
        });
        Do(late, async (context, proceed) =>
        {
            await gate.Task;
            await proceed(context);
        });
        Assert.Null(await Service.EchoAsync("x"));
        gate.SetResult();
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(() => left!.WaitAsync(Bound));
        Assert.Contains("after the call", exception.Message, StringComparison.Ordinal);
        Assert.Empty(LinesOf("service"));
        Do(hasty, null);
        Assert.Equal("x", await Service.EchoAsync("x"));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task Filters_SeeAndChangeHeaders_BothWays()
    {
        Do("client binding", async (context, proceed) =>
        {
            Assert.Equal("caller", context.Headers.FindText("who"));
            context.Headers.Set("where", "client");
            await proceed(context);
            Assert.Equal("answered", context.ReplyHeaders.FindText("service"));
            Assert.Equal("server", context.ReplyHeaders.FindText("filter"));
            context.ReplyHeaders.Set("last", "client");
        });
        Do("server binding", async (context, proceed) =>
        {
            string before = $"{context.Headers.FindText("who")} {context.Headers.FindText("where")}";
            context.Headers.Set("where", $"{before} server");
            await proceed(context);
            context.ReplyHeaders.Set("filter", "server");
        });
        using GlueHeaderScope scope = GlueCall.WithHeaders(new GlueHeaders().Set("who", "caller"));
        Assert.Equal("caller client server", await Service.HeaderAsync("where"));
        Assert.Equal(["filter", "last", "service"], scope.Reply!.Names.Order());
        Assert.Equal(["who"], scope.Request.Names);
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task Filters_WithoutACallersHeaders_HaveTheirOwn()
    {
        string? answered = null;
        Do("client endpoint", async (context, proceed) =>
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
        Do("client endpoint", async (context, proceed) =>
        {
            Assert.Equal(source.Token, context.CancellationToken);
            await proceed(context);
        });
        Do("server endpoint", async (context, proceed) =>
        {
            tokens.Add(context.CancellationToken);
            await proceed(context);
        });
        Task waiting = Service.WaitAsync(source.Token);
        await Eventually.TrueAsync(() => _trace.Lines.Contains("service waits"), Bound);
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
        services.AddSingleton(_trace);
        services.AddGlueClient(options =>
        {
            options.DeadlineDefault = DeadlineDefault;
            options.ConnectTimeout = DeadlineDefault;
            Binding.Configure(options);
        });
        services.AddGlueClient<IFiltered>(Target).AddFilter<MadeFilter>();
        await using ServiceProvider provider = services.BuildServiceProvider();
        Assert.Equal("made", await provider.GetRequiredService<IFiltered>().SameAsync("made"));
        // One of the caller's, and one of the service's.
        Assert.Equal(["made", "made"], LinesOf("made"));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task FilterOfTheService_ReachesTheScopeOfTheCall()
    {
        Guid seen = default;
        Do("server endpoint", async (context, proceed) =>
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
        IFilteredSession sessions = Proxy<IFilteredSession>(Endpoint);
        Do("server process", (_, _) => ValueTask.CompletedTask);
        Assert.Equal(default, await sessions.OpenAsync(0));
        Do("server process", (_, _) => throw new InvalidOperationException());
        await Assert.ThrowsAsync<InvalidOperationException>(() => sessions.OpenAsync(0));
        Do("server process", async (context, proceed) =>
        {
            await proceed(context);
            Assert.NotEqual(default, Assert.IsType<GlueInstance>(context.Result));
            throw new InvalidOperationException();
        });
        await Assert.ThrowsAsync<InvalidOperationException>(() => sessions.OpenAsync(0));
        Do("server process", null);

        // There is room for one only.
        IFilteredSession session = sessions.At(await sessions.OpenAsync(40));
        Do("client process", async (context, proceed) =>
        {
            context.Arguments[0] = 2;
            await proceed(context);
        });
        Assert.Equal(42, await session.AddAsync(1));
        Do("client process", null);
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
        Do(where, async (context, proceed) =>
        {
            if (context.Arguments[0] is IAsyncEnumerable<int> numbers)
                context.Arguments[0] = numbers.Select(number => 10 * number);
            await proceed(context);
            if (context.Result is IAsyncEnumerable<int> counted)
                context.Result = counted.Select(number => number + 1);
        });
        int[] counted = await Service.CountAsync(3).ToArrayAsync();
        Assert.Equal([2, 3, 4], counted);
        Assert.Equal(60, await Service.SumAsync(Enumerable.Range(1, 3).ToAsyncEnumerable()));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task ProxiesWithASelector_AreFiltered()
    {
        IFiltered service = Client.CreateProxy<IFiltered>(new OneAddress(Target), Endpoint);
        Do("client binding", async (context, proceed) =>
        {
            context.Arguments[0] = (int)context.Binding;
            await proceed(context);
        });
        Assert.Equal((int)Binding.Kind + 2, await service.AddAsync(1, 2));
    }

    public override void ConfigureServer(GlueServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.InstancesMax = 1;
        options.Filters.Add(_filters["server process"]);
        AddToBindings(options.FiltersOf, "server binding");
    }

    public override void ConfigureClient(GlueClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Filters.Add(_filters["client process"]);
        AddToBindings(options.FiltersOf, "client binding");
    }

    private protected override void AddServices(GlueServerBuilder glue)
    {
        glue.Services.AddSingleton(_trace).AddScoped<ScopeMark>();
        glue.AddService<IFiltered, Filtered>(filters: own => own.Add<MadeFilter>().Add(_filters["server endpoint"]))
            .AddService<IFilteredSession, FilteredSession>(GlueInstanceMode.Stateful);
    }

    private static Task Run(Action call)
    {
        call();
        return Task.CompletedTask;
    }

    private string[] LinesOf(string prefix)
        => [.. _trace.Lines.Where(line => line.StartsWith(prefix, StringComparison.Ordinal))];

    /// <summary>The same without what the service was called with.</summary>
    private string[] StepsOf(string prefix)
        => Array.ConvertAll(
            LinesOf(prefix), line => line.StartsWith("service", StringComparison.Ordinal) ? "service" : line);

    /// <summary>What the caller is told of a filter's mistake.</summary>
    private async Task<string> MistakeAsync(
        string where, Action<GlueCallContext, Func<GlueCallContext, ValueTask>> mistake)
    {
        Do(where, async (context, proceed) =>
        {
            mistake(context, proceed);
            await proceed(context);
        });
        var exception = await Assert.ThrowsAnyAsync<Exception>(() => Service.AddAsync(1, 2));
        Do(where, null);
        return exception.Message;
    }

    private void AddToBindings(Func<GlueBinding, GlueFilters> of, string name)
    {
        foreach (GlueBinding binding in Enum.GetValues<GlueBinding>())
            of(binding).Add(binding == Binding.Kind ? _filters[name] : new TestFilter(_trace, "other binding"));
    }

    private void Do(string where, Func<GlueCallContext, Func<GlueCallContext, ValueTask>, ValueTask>? work)
        => _filters[where].Work = work;
}
