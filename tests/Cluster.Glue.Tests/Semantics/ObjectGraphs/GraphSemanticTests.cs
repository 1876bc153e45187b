using Cluster.Slim;

namespace Cluster.Glue.Tests.Semantics.ObjectGraphs;

/// <summary>Graphs as arguments and results. Acceptance cases 13 to 20.</summary>
public abstract class GraphSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private const int MaxMessageBytes = 2 * 1024 * 1024;

    private IGraphService Graphs => Proxy<IGraphService>();

    [Fact]
    [Trait("Case", "glue-13")]
    public async Task Cycles_ComeBackAsCycles()
    {
        var self = new Node { Name = "self" };
        self.Next = self;
        var back = await Graphs.EchoNodeAsync(self);
        Assert.Same(back, back.Next);
        var first = new Node { Name = "first" };
        first.Next = new Node { Name = "second", Next = first };
        back = await Graphs.EchoNodeAsync(first);
        Assert.Equal("second", back.Next!.Name);
        Assert.Same(back, back.Next.Next);
    }

    [Fact]
    [Trait("Case", "glue-13")]
    public async Task ChainOfAHundredThousand_ComesBackWhole()
    {
        Node? chain = null;
        for (var i = 0; i < 100_000; i++)
            chain = new Node { Next = chain };
        var back = await Graphs.EchoNodeAsync(chain!);
        var length = 0;
        for (; back is not null; back = back.Next)
            length++;
        Assert.Equal(100_000, length);
    }

    [Fact]
    [Trait("Case", "glue-14")]
    public async Task Identity_HoldsAcrossArguments_AndNotAcrossCalls()
    {
        var node = new Node();
        Assert.True(await Graphs.AreSameAsync(node, node));
        Assert.False(await Graphs.AreSameAsync(node, new Node()));
        await Graphs.KeepAsync(node);
        Assert.Equal(!Binding.Serializes, await Graphs.IsKeptAsync(node));
    }

    [Fact]
    [Trait("Case", "glue-15")]
    public async Task FieldsAndArraysOfEveryKind_KeepTheirTypes()
    {
        var drawing = new Drawing
        {
            First = new Square { Side = 3 },
            Anything = new Square { Side = 2 },
            Shapes = [new Circle { Radius = 1 }, new Square { Side = 1 }],
            Grid = new[,] { { 1, 2, 3 }, { 4, 5, 6 } },
            Rows = [[1], [], [2, 3]],
        };
        var back = await Graphs.EchoDrawingAsync(drawing);
        Assert.Equal(9, Assert.IsType<Square>(back.First).Area());
        Assert.Equal(2, Assert.IsType<Square>(back.Anything).Side);
        Assert.IsType<Circle>(back.Shapes[0]);
        Assert.IsType<Square>(back.Shapes[1]);
        Assert.Equal(6, back.Grid[1, 2]);
        Assert.Equal([2, 3], back.Rows[2].AsEnumerable());
    }

    [Fact]
    [Trait("Case", "glue-15")]
    public async Task Delegate_InAGraph_IsRefused_AndNothingIsSent()
    {
        if (!Binding.Serializes)
            return;
        var before = await Graphs.RunsAsync();
        var exception = await Assert.ThrowsAsync<GlueException>(
            () => Graphs.EchoDrawingAsync(new Drawing { Anything = (Action)(() => { }) }));
        Assert.Equal(GlueErrorCode.ArgumentsNotWritable, exception.Code);
        Assert.Contains(nameof(Drawing.Anything), exception.Message, StringComparison.Ordinal);
        Assert.Equal(before, await Graphs.RunsAsync());
    }

    [Fact]
    [Trait("Case", "glue-16")]
    public async Task Result_ThatRefersToAnArgumentsType_KeepsPrivateAndHiddenFields()
    {
        var employee = await Graphs.HireAsync(new Person("boss", 5), "own");
        Assert.Equal(("own", "own!", 6, 7), (employee.Secret, employee.OwnSecret, employee.Number, employee.Hidden));
        Assert.Equal(("boss", 5, 6), (employee.Boss!.Secret, employee.Boss.Number, employee.Boss.Hidden));
    }

    [Fact]
    [Trait("Case", "glue-17")]
    public async Task Collections_KeepTheirComparer()
    {
        var map = await Graphs.EchoMapAsync(
            new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["Key"] = 7 });
        Assert.Equal(7, map["KEY"]);
        map.Add("other", 8);
        Assert.True(map.ContainsKey("OTHER"));
        Assert.Contains("b", await Graphs.EchoSetAsync(new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "B" }));
    }

    [Theory]
    [Trait("Case", "glue-18")]
    [InlineData("write", "", GlueErrorCode.ArgumentsNotWritable, GlueDelivery.NotDelivered)]
    [InlineData("read", "", GlueErrorCode.ArgumentsNotReadable, GlueDelivery.NotDelivered)]
    [InlineData("", "write", GlueErrorCode.ResultNotWritable, GlueDelivery.Executed)]
    [InlineData("", "read", GlueErrorCode.ResultNotReadable, GlueDelivery.Executed)]
    public async Task ValueThatThrows_FailsThatCallOnly(
        string argument, string result, GlueErrorCode code, GlueDelivery delivery)
    {
        if (!Binding.Serializes)
            return;
        var before = await Graphs.RunsAsync();
        var exception = await Assert.ThrowsAsync<GlueException>(
            () => Graphs.MoodAsync(new Moody { FailsOn = argument }, result));
        Assert.Equal((code, delivery), (exception.Code, exception.Delivery));
        Assert.Contains("moody on", exception.Message, StringComparison.Ordinal);
        Assert.Equal(before + (delivery == GlueDelivery.Executed ? 1 : 0), await Graphs.RunsAsync());
        Assert.Equal("", (await Graphs.MoodAsync(new Moody(), "")).FailsOn);
    }

    [Fact]
    [Trait("Case", "glue-19")]
    public async Task NewTypes_AfterAFailedAnswer_AreStillDescribed()
    {
        if (!Binding.Serializes)
            return;
        // Writers and readers are lent to the next call: sooner or later to the call after the failure.
        for (var i = 0; i < 50; i++)
        {
            await Assert.ThrowsAsync<GlueException>(() => Graphs.FreshAsync("write"));
            Assert.Equal(2, (await Graphs.FreshAsync("")).ByName["a"].Radius);
            await Assert.ThrowsAsync<GlueException>(() => Graphs.FreshAsync("read"));
            Assert.Equal(2, (await Graphs.FreshAsync("")).ByName["a"].Radius);
        }
    }

    [Fact]
    [Trait("Case", "glue-99")]
    public async Task TypeOutsideOfTheList_IsRefused()
    {
        if (!Binding.Serializes)
            return;
        var exception = await Assert.ThrowsAsync<GlueException>(() => Graphs.EchoAnythingAsync(new Unlisted()));
        Assert.Equal(GlueErrorCode.ArgumentsNotWritable, exception.Code);
        Assert.Contains(nameof(Unlisted), exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "glue-20")]
    public async Task AMegabyte_ComesThrough_AndAByteOverTheLimitFailsThatCallOnly()
    {
        Assert.Equal(1_000_000, (await Graphs.MakeBytesAsync(1_000_000)).Length);
        Assert.Equal(1_000_000, await Graphs.CountBytesAsync(new byte[1_000_000]));
        if (!Binding.Serializes)
            return;
        var exception = await Assert.ThrowsAsync<GlueException>(
            () => Graphs.CountBytesAsync(new byte[MaxMessageBytes + 1]));
        Assert.Equal(GlueErrorCode.ArgumentsTooLarge, exception.Code);
        Assert.Contains(nameof(IGraphService.CountBytesAsync), exception.Message, StringComparison.Ordinal);
        Assert.Contains($"{MaxMessageBytes}", exception.Message, StringComparison.Ordinal);
        exception = await Assert.ThrowsAsync<GlueException>(() => Graphs.MakeBytesAsync(MaxMessageBytes + 1));
        Assert.Equal(GlueErrorCode.ResultTooLarge, exception.Code);
        Assert.Equal(5, await Graphs.CountBytesAsync(new byte[5]));
    }

    public override void ConfigureServer(GlueServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.ConfigureTypes = AllowTypes;
    }

    public override void ConfigureClient(GlueClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.ConfigureTypes = AllowTypes;
        options.MaxMessageBytes = MaxMessageBytes;
    }

    private protected override void AddServices(GlueServerBuilder glue) =>
        glue.AddService<IGraphService, GraphService>(GlueInstanceMode.Singleton);

    private static void AllowTypes(SlimOptions types) =>
        types.Allow<Circle>().Allow<Square>().Allow<Employee>().AllowCallbacks<Moody>();
}
