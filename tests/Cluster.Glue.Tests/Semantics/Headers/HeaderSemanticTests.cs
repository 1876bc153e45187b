namespace Cluster.Glue.Tests.Semantics.Headers;

public interface IEcho
{
    Task<string?> HeaderAsync(string name);
    Task<byte[]?> BytesAsync(string name);
    Task AnswerAsync(string name, int size, bool fails);
    Task<string?> ContextAsync(string name);
    Task<string> NestedContextAsync(string name, string downstream);
}

internal sealed class Echo(EchoTarget target) : IEcho
{
    public async Task<string?> HeaderAsync(string name)
    {
        await Task.Yield();
        return GlueCall.Current!.Headers.FindText(name);
    }

    public Task<byte[]?> BytesAsync(string name) => Task.FromResult(GlueCall.Current!.Headers.FindBytes(name));

    public Task AnswerAsync(string name, int size, bool fails)
    {
        GlueCall.Current!.ReplyHeaders.Set(name, new string('x', size)).Set(name + "-bin", new byte[] { 1, 2 });
        return fails ? throw new InvalidOperationException("with headers") : Task.CompletedTask;
    }

    public async Task<string?> ContextAsync(string name)
    {
        await Task.Yield();
        var value = GlueContext.Find(name);
        GlueContext.With(name, "set by the service");
        return value;
    }

    public async Task<string> NestedContextAsync(string name, string downstream)
    {
        var before = GlueContext.Find(name);
        string? nested;
        using (GlueContext.With(name, downstream))
            nested = await target.Proxy!.ContextAsync(name);
        return $"{before} {nested} {GlueContext.Find(name)}";
    }
}

/// <summary>The second service; set by the test.</summary>
internal sealed class EchoTarget
{
    public IEcho? Proxy { get; set; }
}

/// <summary>Headers both ways, trace context and ambient values. Acceptance cases 58 and 59.</summary>
public abstract class HeaderSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private const int HeaderBytesMax = 64 * 1024;

    private readonly EchoTarget _target = new();

    private IEcho Service => Proxy<IEcho>();

    [Fact]
    [Trait("Case", "glue-58")]
    public async Task Headers_TextAndBinary_ReachTheService_WithinTheirScope()
    {
        var echo = Service;
        Assert.Null(await echo.HeaderAsync("user"));
        var headers = new GlueHeaders().Set("user", "käthe").Set("key", new byte[] { 0, 255 });
        using (GlueCall.WithHeaders(headers))
        {
            Assert.Equal("käthe", await echo.HeaderAsync("user"));
            Assert.Equal([0, 255], (await echo.BytesAsync("key"))!.AsEnumerable());
            Assert.Null(await echo.HeaderAsync("key"));
            using (GlueCall.WithHeaders(new GlueHeaders().Set("other", "o")))
                Assert.Null(await echo.HeaderAsync("user"));
            Assert.Equal("käthe", await echo.HeaderAsync("user"));
        }

        Assert.Null(await echo.HeaderAsync("user"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Case", "glue-58")]
    public async Task Headers_OfTheReply_ReachTheCaller_WithAResultOrAFailure(bool fails)
    {
        using var scope = GlueCall.WithHeaders(new GlueHeaders().Set("any", "x"));
        Assert.Null(scope.Reply);
        var call = Service.AnswerAsync("note", 5, fails);
        if (fails)
            await Assert.ThrowsAsync<InvalidOperationException>(() => call);
        else
            await call;
        Assert.Equal("xxxxx", scope.Reply!.FindText("note"));
        Assert.Equal([1, 2], scope.Reply.FindBytes("note-bin")!.AsEnumerable());
    }

    [Fact]
    [Trait("Case", "glue-58")]
    public async Task Headers_OverTheLimit_FailTheirCallOnly()
    {
        var room = HeaderBytesMax - "h".Length - 4;
        using (GlueCall.WithHeaders(new GlueHeaders().Set("h", new string('x', room))))
            Assert.Equal(room, (await Service.HeaderAsync("h"))!.Length);
        using (GlueCall.WithHeaders(new GlueHeaders().Set("h", new string('x', HeaderBytesMax))))
        {
            var exception = await Assert.ThrowsAsync<GlueException>(() => Service.HeaderAsync("h"));
            Assert.Equal(
                (GlueErrorCode.HeadersTooLarge, GlueDelivery.NotDelivered), (exception.Code, exception.Delivery));
            Assert.Contains("HeaderBytesMax", exception.Message, StringComparison.Ordinal);
        }

        var late = await Assert.ThrowsAsync<GlueException>(() => Service.AnswerAsync("h", HeaderBytesMax, fails: false));
        Assert.Equal((GlueErrorCode.HeadersTooLarge, GlueDelivery.Executed), (late.Code, late.Delivery));
        Assert.Null(await Service.HeaderAsync("h"));
    }

    [Fact]
    [Trait("Case", "glue-58")]
    public void Names_OfGluesOwn_AreRefused()
    {
        Assert.Throws<ArgumentException>(() => new GlueHeaders().Set("glue-instance", "x"));
        Assert.Throws<ArgumentException>(() => new GlueHeaders().Set(new string('n', 257), "x"));
    }

    [Fact]
    [Trait("Case", "glue-59")]
    public async Task TraceContext_IsCarried_WhenThereIsAnActivity()
    {
        Assert.Null(await Service.HeaderAsync("traceparent"));
        using var activity = new Activity("test").SetIdFormat(ActivityIdFormat.W3C).Start();
        activity.TraceStateString = "a=b";
        Assert.Equal(activity.Id, await Service.HeaderAsync("traceparent"));
        Assert.Equal("a=b", await Service.HeaderAsync("tracestate"));
    }

    [Fact]
    [Trait("Case", "glue-59")]
    public async Task AmbientContext_FlowsAcrossAwaitsAndNestedCalls_AndNeverBack()
    {
        _target.Proxy = Service;
        Assert.Null(await Service.ContextAsync("tenant"));
        using (GlueContext.With("tenant", "one"))
        {
            await Task.Yield();
            Assert.Equal("one", await Service.ContextAsync("tenant"));
            Assert.Equal("one", GlueContext.Find("tenant"));
            Assert.Equal("one two one", await Service.NestedContextAsync("tenant", "two"));
            Assert.Equal("one", GlueContext.Find("tenant"));
        }

        Assert.Null(GlueContext.Find("tenant"));
        Assert.Null(await Service.ContextAsync("tenant"));
    }

    [Fact]
    [Trait("Case", "glue-59")]
    public async Task AmbientContext_StaysHere_UnlessTheOptionSaysSo()
    {
        await using var client = Connect(options => options.FlowsContext = false);
        using (GlueContext.With("tenant", "one"))
            Assert.Null(await client.CreateProxy<IEcho>(Target).ContextAsync("tenant"));
    }

    public override void ConfigureServer(GlueServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.ConfigureTypes = types => types.Allow<InvalidOperationException>();
    }

    public override void ConfigureClient(GlueClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.FlowsContext = true;
    }

    private protected override void AddServices(GlueServerBuilder glue)
    {
        Microsoft.Extensions.DependencyInjection.ServiceCollectionServiceExtensions.AddSingleton(glue.Services, _target);
        glue.AddService<IEcho, Echo>();
    }

    private GlueClient Connect(Action<GlueClientOptions> configure)
    {
        var options = new GlueClientOptions { DefaultDeadline = DefaultDeadline, ConnectTimeout = DefaultDeadline };
        ConfigureForTest(options);
        configure(options);
        return new GlueClient(options);
    }
}
