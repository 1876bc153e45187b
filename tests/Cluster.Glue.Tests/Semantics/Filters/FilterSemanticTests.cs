using Cluster.Glue.Filters;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics.Filters;

/// <summary>What filters see of calls, and what they may do with them. Acceptance cases 56 and 57.</summary>
public abstract class FilterSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly TestFilters _filters = new(binding.Kind);

    private IFiltered Service => Proxy<IFiltered>(_filters.Endpoint);

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
        await Eventually.TrueAsync(() => _filters.Lines.Length == 13, Bound);
        string[] sent = [.. TestFilters.Levels.Select(level => $"client {level} in")];
        string[] received = [.. TestFilters.Levels.Reverse().Select(level => $"server {level} in"), "service"];
        string[] answered = [.. TestFilters.Levels.Select(level => $"server {level} out")];
        string[] returned = [.. TestFilters.Levels.Reverse().Select(level => $"client {level} out")];
        // The caller of a one-way method does not wait for the rest.
        if (shape.StartsWith("one-way", StringComparison.Ordinal))
        {
            Assert.Equal([.. sent, .. returned], _filters.StepsOf("client"));
            Assert.Equal([.. received, .. answered], _filters.StepsOf("serv"));
        }
        else
        {
            Assert.Equal([.. sent, .. received, .. answered, .. returned], _filters.StepsOf(""));
        }
    }

    [Fact]
    [Trait("Case", "glue-56")]
    public async Task FiltersOfABinding_SeeItsCallsOnly()
    {
        var seen = new List<GlueBinding>();
        _filters.Do("client binding", async (context, proceed) =>
        {
            seen.Add(context.Binding);
            await proceed(context);
        });
        _filters.Do("server binding", async (context, proceed) =>
        {
            seen.Add(context.Binding);
            await proceed(context);
        });
        Assert.Equal(3, await Service.AddAsync(1, 2));
        Assert.Equal([Binding.Kind, Binding.Kind], seen);
        Assert.DoesNotContain("other binding in", _filters.Lines);
    }

    [Theory]
    [InlineData("client process")]
    [InlineData("client endpoint")]
    [InlineData("server endpoint")]
    [InlineData("server process")]
    [Trait("Case", "glue-57")]
    public async Task Filter_ChangesArguments_AndReplacesTheResult(string where)
    {
        _filters.Do(where, async (context, proceed) =>
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
        Assert.Contains("service 1 40", _filters.Lines);
        _filters.Do(where, null);
        Assert.Equal(3, await Service.AddAsync(1, 2));
    }

    [Fact]
    [Trait("Case", "glue-57")]
    public async Task Filters_OfBothSides_BuildOnEachOther()
    {
        foreach (var filter in _filters.All)
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
        _filters.Do("client endpoint", (_, _) => ValueTask.CompletedTask);
        await Calls[shape](Service);
        await Service.FailAsync("not even sent");
        Assert.DoesNotContain("server endpoint in", _filters.Lines);
        _filters.Do("client endpoint", (context, _) =>
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
        _filters.Do("server binding", (_, _) => ValueTask.CompletedTask);
        await Calls[shape](Service);
        await Service.FailAsync("not even called");
        await Eventually.TrueAsync(() => _filters.LinesOf("server endpoint").Length == 4, Bound);
        Assert.Empty(_filters.LinesOf("service"));
        _filters.Do("server binding", (context, _) =>
        {
            context.Result = 7;
            return ValueTask.CompletedTask;
        });
        Assert.Equal(7, await Service.AddAsync(1, 2));
        _filters.Do("server binding", (_, _) => ValueTask.CompletedTask);
        Assert.Equal(0, await Service.AddAsync(1, 2));
    }

    public override void ConfigureServer(GlueServerOptions options) => _filters.AddTo(options);

    public override void ConfigureClient(GlueClientOptions options) => _filters.AddTo(options);

    private protected override void AddServices(GlueServerBuilder glue) => _filters.AddServices(glue);

    private static Task Run(Action call)
    {
        call();
        return Task.CompletedTask;
    }
}
