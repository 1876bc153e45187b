namespace Cluster.Glue.Tests.Semantics;

/// <summary>Exceptions and per-call isolation. Acceptance cases 10, 18 to 24, 32 and 66.</summary>
public abstract class FailureSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private const int MaxMessageBytes = 1024 * 1024;

    [Fact]
    public async Task ListedException_ComesBackAsItself()
    {
        var exception = await Assert.ThrowsAsync<ShopException>(() => Proxy<IFailures>().ThrowListedAsync());
        Assert.Equal("empty shelf", exception.Message);
        Assert.Equal(7, exception.Shelf);
        Assert.Equal("nobody ordered", Assert.IsType<InvalidOperationException>(exception.InnerException).Message);
    }

    [Fact]
    public async Task UnlistedException_ComesBackAsRemoteException()
    {
        var exception = await Assert.ThrowsAsync<RemoteException>(() => Proxy<IFailures>().ThrowUnlistedAsync("why"));
        Assert.Equal(typeof(UnlistedException).FullName, exception.TypeName);
        Assert.Equal("why", exception.Message);
    }

    [Fact]
    public void BuiltInException_FromSynchronousMember_KeepsItsProperties()
    {
        var exception = Assert.Throws<ArgumentOutOfRangeException>(() => Proxy<IFailures>().ThrowBuiltIn("speed"));
        Assert.Equal("speed", exception.ParamName);
    }

    [Fact]
    public async Task ExceptionBeforeTheTask_ComesBack()
    {
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(
            () => Proxy<IFailures>().ThrowBeforeTaskAsync());
        Assert.Equal("before the task", exception.Message);
    }

    [Fact]
    [Trait("Case", "glue-32")]
    public async Task CancellationByTheServer_IsNotTheCallers()
    {
        var exception = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => Proxy<IFailures>().ThrowCancelledAsync());
        Assert.Equal(CancellationToken.None, exception.CancellationToken);
    }

    [Fact]
    [Trait("Case", "glue-10")]
    public async Task UnknownContract_IsRefused_AndOthersWork()
    {
        var exception = await Assert.ThrowsAsync<GlueException>(() => Proxy<INotOffered>().GoAsync());
        Assert.Equal(GlueErrorKind.Refused, exception.Kind);
        Assert.Equal(GlueErrorCode.UnknownContract, exception.Code);
        Assert.Equal(GlueDelivery.NotDelivered, exception.Delivery);
        await CheckOthersWork();
    }

    [Fact]
    public async Task UnwritableArgument_FailsThatCallOnly()
    {
        if (!Binding.Serializes)
            return;
        var unwritable = new Unwritable { Callback = () => { } };
        var exception = await Assert.ThrowsAsync<GlueException>(() => Proxy<IFailures>().TakeAnythingAsync(unwritable));
        Assert.Equal(GlueErrorCode.ArgumentsNotWritable, exception.Code);
        Assert.Equal(GlueDelivery.NotDelivered, exception.Delivery);
        Assert.Contains(nameof(IFailures.TakeAnythingAsync), exception.Message, StringComparison.Ordinal);
        await CheckOthersWork();
    }

    [Fact]
    public async Task UnwritableResult_FailsThatCallOnly()
    {
        if (!Binding.Serializes)
            return;
        var exception = await Assert.ThrowsAsync<GlueException>(() => Proxy<IFailures>().ReturnUnwritableAsync());
        Assert.Equal(GlueErrorCode.ResultNotWritable, exception.Code);
        Assert.Equal(GlueDelivery.Executed, exception.Delivery);
        await CheckOthersWork();
    }

    [Fact]
    public async Task OversizeArgument_FailsThatCallOnly_AndNamesTheLimit()
    {
        if (!Binding.Serializes)
            return;
        var exception = await Assert.ThrowsAsync<GlueException>(
            () => Proxy<IGraphs>().EchoBytesAsync(new byte[MaxMessageBytes + 1]));
        Assert.Equal(GlueErrorCode.ArgumentsTooLarge, exception.Code);
        Assert.Contains("EchoBytesAsync", exception.Message, StringComparison.Ordinal);
        Assert.Contains("MaxMessageBytes", exception.Message, StringComparison.Ordinal);
        await CheckOthersWork();
    }

    [Fact]
    public async Task OversizeResult_FailsThatCallOnly_AndNamesTheLimit()
    {
        if (!Binding.Serializes)
            return;
        var exception = await Assert.ThrowsAsync<GlueException>(
            () => Proxy<IGraphs>().MakeBytesAsync(MaxMessageBytes + 1));
        Assert.Equal(GlueErrorCode.ResultTooLarge, exception.Code);
        Assert.Equal(GlueDelivery.Executed, exception.Delivery);
        Assert.Contains("MaxMessageBytes", exception.Message, StringComparison.Ordinal);
        await CheckOthersWork();
    }

    [Fact]
    public async Task LargeButAllowedArgumentsAndResults_ComeThrough()
    {
        var bytes = new byte[900_000];
        bytes[^1] = 7;
        Assert.Equal(bytes, await Proxy<IGraphs>().EchoBytesAsync(bytes));
    }

    [Fact]
    [Trait("Case", "glue-66")]
    public async Task PoisonAmongMany_LeavesTheRestAlone()
    {
        var shapes = Proxy<IShapes>();
        var failures = Proxy<IFailures>();
        var good = Enumerable.Range(0, 200).Select(shapes.TwiceAsync).ToArray();
        var bad = Enumerable.Range(0, 200).Select(_ => failures.ThrowUnlistedAsync("x")).ToArray();
        Assert.Equal(Enumerable.Range(0, 200).Select(i => 2 * i), await Task.WhenAll(good));
        foreach (var one in bad)
            await Assert.ThrowsAsync<RemoteException>(() => one);
    }

    private async Task CheckOthersWork() => Assert.Equal(4, await Proxy<IShapes>().TwiceAsync(2));
}
