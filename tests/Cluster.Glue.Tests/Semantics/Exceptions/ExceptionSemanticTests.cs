using Cluster.Slim;

namespace Cluster.Glue.Tests.Semantics.Exceptions;

/// <summary>What a caller gets of an exception. Acceptance cases 21 to 26 and 28.</summary>
public abstract class ExceptionSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private IThrower Thrower => Proxy<IThrower>();

    [Theory]
    [InlineData("speed")]
    [InlineData(null)]
    [Trait("Case", "glue-21")]
    public async Task BuiltInException_KeepsItsProperties_NullOrNot(string? parameter)
    {
        var exception = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => Thrower.ThrowArgumentAsync(parameter));
        Assert.Equal(parameter, exception.ParamName);
        Assert.Equal(7, exception.ActualValue);
        Assert.StartsWith("too far", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "glue-22")]
    [Trait("Case", "glue-24")]
    public async Task ListedException_WithFieldsAndCause_IsRebuilt()
    {
        var exception = await Assert.ThrowsAsync<StockException>(() => Thrower.ThrowStockAsync());
        Assert.Equal((3, "shelf 3"), (exception.Shelf, exception.Message));
        Assert.Equal(["tea", "milk"], exception.Missing);
        Assert.Equal("nobody ordered", Assert.IsType<InvalidOperationException>(exception.InnerException).Message);
    }

    [Fact]
    [Trait("Case", "glue-22")]
    public async Task AggregateTree_IsRebuilt()
    {
        var tree = await Assert.ThrowsAsync<AggregateException>(() => Thrower.ThrowTreeAsync());
        Assert.IsType<StockException>(tree.InnerExceptions[0]);
        var branch = Assert.IsType<AggregateException>(tree.InnerExceptions[1]);
        Assert.Equal("leaf", Assert.IsType<InvalidOperationException>(branch.InnerException).Message);
    }

    [Fact]
    [Trait("Case", "glue-23")]
    public async Task UnlistedException_IsTold_WithMessageStackDataAndCauses()
    {
        var exception = await Assert.ThrowsAsync<RemoteException>(() => Thrower.ThrowUnlistedAsync());
        Assert.Equal((typeof(InvalidOperationException).FullName, "outer"), (exception.TypeName, exception.Message));
        Assert.Contains(
            nameof(IThrower.ThrowUnlistedAsync), exception.RemoteStackTrace, StringComparison.Ordinal);
        Assert.Equal("7", exception.Data["order"]);
        Assert.True(exception.Data.Contains("none"));
        Assert.Null(exception.Data["none"]);
        var cause = Assert.IsType<RemoteException>(exception.InnerException);
        Assert.Equal((typeof(UnlistedException).FullName, "cause"), (cause.TypeName, cause.Message));
    }

    [Fact]
    [Trait("Case", "glue-24")]
    public async Task ExceptionsThatCannotTravel_AreTold()
    {
        var hidden = await Assert.ThrowsAsync<RemoteException>(() => Thrower.ThrowPrivateAsync());
        Assert.EndsWith("PrivateException", hidden.TypeName, StringComparison.Ordinal);
        Assert.Equal("private", hidden.Message);
        var heavy = await Assert.ThrowsAsync<RemoteException>(() => Thrower.ThrowHeavyAsync());
        Assert.Equal((typeof(HeavyException).FullName, "heavy"), (heavy.TypeName, heavy.Message));
        var mute = await Assert.ThrowsAsync<RemoteException>(() => Thrower.ThrowMuteAsync());
        Assert.Equal(typeof(MuteException).FullName, mute.TypeName);
        Assert.Contains("cannot be read", mute.Message, StringComparison.Ordinal);
        Assert.Equal(1, await Thrower.FineAsync());
    }

    [Fact]
    [Trait("Case", "glue-25")]
    public async Task Stacks_OfBothSides_AreInTheText()
    {
        var listed = await Assert.ThrowsAsync<StockException>(async () => await Thrower.ThrowStockAsync());
        Assert.Contains(nameof(Exceptions.Thrower), listed.ToString(), StringComparison.Ordinal);
        Assert.Contains(nameof(Stacks_OfBothSides_AreInTheText), listed.ToString(), StringComparison.Ordinal);
        var told = await Assert.ThrowsAsync<RemoteException>(async () => await Thrower.ThrowUnlistedAsync());
        Assert.Contains(nameof(Exceptions.Thrower), told.ToString(), StringComparison.Ordinal);
        Assert.Contains(nameof(Stacks_OfBothSides_AreInTheText), told.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "glue-26")]
    public async Task DeepChain_IsCut_AndNotFatal()
    {
        Exception? link = await Assert.ThrowsAsync<RemoteException>(() => Thrower.ThrowChainAsync(100, isListed: false));
        var length = 0;
        for (; link is not null; link = link.InnerException)
            length++;
        Assert.Equal(GlueLimits.ExceptionChainMax, length);
        await Assert.ThrowsAnyAsync<Exception>(() => Thrower.ThrowChainAsync(10_000, isListed: true));
        Assert.Equal(1, await Thrower.FineAsync());
    }

    [Fact]
    [Trait("Case", "glue-28")]
    public async Task ExceptionThatTheCallerHasNotListed_IsNeverInstantiated()
    {
        var exception = await Assert.ThrowsAsync<RemoteException>(() => Thrower.ThrowServerOnlyAsync());
        Assert.Equal((typeof(ServerOnlyException).FullName, "mine"), (exception.TypeName, exception.Message));
    }

    public override void ConfigureServer(GlueServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.ConfigureTypes = types => AllowTypes(types).Allow<ServerOnlyException>();
        options.ExceptionDetail = GlueExceptionDetail.Full;
    }

    public override void ConfigureClient(GlueClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.ConfigureTypes = types => AllowTypes(types);
    }

    private protected override void AddServices(GlueServerBuilder glue) => glue.AddService<IThrower, Thrower>();

    private static SlimOptions AllowTypes(SlimOptions types) =>
        types.Allow<StockException>().Allow<HeavyException>().Allow<MuteException>();
}
