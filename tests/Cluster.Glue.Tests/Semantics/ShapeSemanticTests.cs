namespace Cluster.Glue.Tests.Semantics;

/// <summary>Signature shapes, overloads, generic and inherited contracts, graphs. Acceptance cases 1 to 7, 13 to
/// 15.</summary>
public abstract class ShapeSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    [Fact]
    [Trait("Case", "glue-1")]
    public async Task EveryReturnShape_Works()
    {
        var shapes = Proxy<IShapes>();
        shapes.DoNothing();
        Assert.Equal(42, shapes.Twice(21));
        await shapes.PauseAsync();
        Assert.Equal(42, await shapes.TwiceAsync(21));
        await shapes.RestAsync();
        Assert.Equal(63, await shapes.ThriceAsync(21));
    }

    [Fact]
    [Trait("Case", "glue-2")]
    public async Task NullsAndArrays_ComeBack()
    {
        var shapes = Proxy<IShapes>();
        Assert.Null(await shapes.EchoTextAsync(null));
        Assert.Equal("käse", await shapes.EchoTextAsync("käse"));
        Assert.Null(await shapes.EchoNullableAsync(null));
        Assert.Equal(5, await shapes.EchoNullableAsync(5));
        Assert.Equal(new string?[] { "a", null, "b" }.AsEnumerable(), await shapes.EchoManyAsync("a", null, "b"));
        Assert.Empty(await shapes.EchoManyAsync());
    }

    [Fact]
    [Trait("Case", "glue-2")]
    public async Task DefaultValuesAndManyArguments_Work()
    {
        var shapes = Proxy<IShapes>();
        Assert.Equal(42, await shapes.WithDefaultAsync(1));
        var sum = await shapes.SixteenAsync(
            1, 2, 3, 4, 5, 6, 7, 8, 9f, 10d, 11m, true, 'A', "four",
            new Guid(1, 0, 0, new byte[8]), new DateTime(2026, 1, 1));
        Assert.Equal(66 + 1 + 65 + 4 + 1 + 2026, sum);
    }

    [Fact]
    public async Task CancellationToken_MayStandAnywhere()
    {
        var shapes = Proxy<IShapes>();
        Assert.Equal("Truex", await shapes.TokenFirstAsync(CancellationToken.None, "x"));
        Assert.Equal("aTrueb", await shapes.TokenInTheMiddleAsync("a", CancellationToken.None, "b"));
    }

    [Fact]
    [Trait("Case", "glue-3")]
    public async Task Overloads_AreToldApart()
    {
        var say = Proxy<IOverloads>();
        Assert.Equal("none", await say.SayAsync());
        Assert.Equal("int 5", await say.SayAsync(5));
        Assert.Equal("text a", await say.SayAsync("a"));
        Assert.Equal("both 5a", await say.SayAsync(5, "a"));
        Assert.Equal("ints 2", await say.SayAsync([1, 2]));
        Assert.Equal("texts 1", await say.SayAsync(["a"]));
    }

    [Fact]
    [Trait("Case", "glue-4")]
    public async Task GenericContract_WorksForTwoTypesAtOnce()
    {
        Assert.Equal(5, await Proxy<IBox<int>>().KeepAsync(5));
        Assert.Equal("five", await Proxy<IBox<string>>().KeepAsync("five"));
        Assert.Equal("Int32", await Proxy<IBox<int>>().TypeNameAsync());
        Assert.Equal("String", await Proxy<IBox<string>>().TypeNameAsync());
    }

    [Fact]
    [Trait("Case", "glue-5")]
    public async Task DiamondInheritance_KeepsEachDeclaration()
    {
        var diamond = Proxy<IDiamond>();
        Assert.Equal("bottom", await diamond.BottomAsync());
        Assert.Equal("left", await diamond.LeftAsync());
        Assert.Equal("right", await diamond.RightAsync());
        Assert.Equal("common left", await ((ILeft)diamond).CommonAsync());
        Assert.Equal("common right", await ((IRight)diamond).CommonAsync());
    }

    [Fact]
    public async Task InternalContract_WithInternalTypes_Works() =>
        Assert.Equal("hush!", (await Proxy<IHidden>().WhisperAsync(new Secret { Text = "hush" })).Text);

    [Fact]
    public async Task Cycle_ComesBackAsCycle()
    {
        var first = new Node { Name = "first" };
        first.Next = new Node { Name = "second", Next = first };
        var echo = await Proxy<IGraphs>().EchoAsync(first);
        Assert.Equal("second", echo.Next!.Name);
        Assert.Same(echo, echo.Next.Next);
        Assert.Equal(!Binding.Serializes, ReferenceEquals(first, echo));
    }

    [Fact]
    public async Task LongChain_ComesBackWhole()
    {
        Node? chain = null;
        for (var i = 0; i < 20_000; i++)
            chain = new Node { Next = chain };
        var echo = await Proxy<IGraphs>().EchoAsync(chain!);
        var length = 0;
        for (; echo is not null; echo = echo.Next)
            length++;
        Assert.Equal(20_000, length);
    }

    [Fact]
    public async Task Identity_HoldsAcrossArgumentsAndInResults()
    {
        var graphs = Proxy<IGraphs>();
        var node = new Node();
        Assert.True(await graphs.AreSameAsync(node, node));
        Assert.False(await graphs.AreSameAsync(node, new Node()));
        var pair = await graphs.PairAsync(node);
        Assert.Same(pair[0], pair[1]);
    }

    [Fact]
    public async Task Polymorphism_ComesBackWithItsTypes()
    {
        Animal[] sent = [new Dog { Name = "Rex", Barks = 3 }, new Cat { Purrs = true }];
        var animals = await Proxy<IGraphs>().EchoAnimalsAsync(sent);
        Assert.Equal(3, Assert.IsType<Dog>(animals[0]).Barks);
        Assert.Equal("Rex", animals[0].Name);
        Assert.True(Assert.IsType<Cat>(animals[1]).Purrs);
    }

    [Fact]
    public async Task InstanceModes_LiveAsLongAsTheySay()
    {
        var perCall = Proxy<ICounter>();
        var disposals = Counter.Disposals;
        Assert.Equal(1, await perCall.NextAsync());
        Assert.Equal(1, await perCall.NextAsync());
        Assert.True(Counter.Disposals >= disposals + 2);
        var shared = Proxy<ISharedCounter>();
        Assert.Equal(1, await shared.NextAsync());
        Assert.Equal(2, await shared.NextAsync());
    }

    [Fact]
    public async Task ManyConcurrentCalls_AreEachAnsweredOnce()
    {
        var shapes = Proxy<IShapes>();
        var results = await Task.WhenAll(Enumerable.Range(0, 2000).Select(shapes.TwiceAsync));
        Assert.Equal(Enumerable.Range(0, 2000).Select(i => 2 * i), results);
    }
}
