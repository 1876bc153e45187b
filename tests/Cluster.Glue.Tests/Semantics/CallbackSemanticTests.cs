namespace Cluster.Glue.Tests.Semantics;

/// <summary>Objects that are called where they are, during the call that passed them and after it, over every
/// binding.</summary>
public abstract class CallbackSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    [Trait("Case", "glue-61")]
    public async Task Listener_IsCalledDuringTheCallAndAfterIt()
    {
        var hub = Proxy<IHub>();
        var listener = new Listener();
        Assert.Equal(11, await hub.CallAsync(listener, 5));
        await hub.KeepAsync(listener);
        Assert.Equal(14, await hub.CallKeptAsync(7));
        Assert.Equal([5, 7], listener.Numbers);
    }

    [Fact]
    [Trait("Case", "glue-61")]
    public async Task ObjectPassedTwice_IsOneObject()
    {
        var hub = Proxy<IHub>();
        var listener = new Listener();
        await hub.KeepAsync(listener);
        Assert.True(await hub.IsKeptAsync(listener));
        Assert.False(await hub.IsKeptAsync(new Listener()));
        Assert.True(await hub.IsSameAsync(new Registration { Listener = listener, Again = listener }));
        Assert.False(await hub.IsSameAsync(new Registration { Listener = listener, Again = new Listener() }));
        Assert.True(await hub.IsSameAsync(new Registration()));
    }

    [Fact]
    [Trait("Case", "glue-61")]
    public async Task ObjectThatComesBack_IsTheOwnersOwn()
    {
        var hub = Proxy<IHub>();
        var listener = new Listener();
        await hub.KeepAsync(listener);
        Assert.Same(listener, await hub.KeptAsync());
        var own = await hub.OwnAsync();
        Assert.Equal(-3, await own.OnAsync(3));
        Assert.Equal(-4 + 1, await hub.CallAsync(own, 4));
        Assert.Equal(["own 3", "own 4"], Seen.Notes);
    }

    [Fact]
    [Trait("Case", "glue-61")]
    public async Task FailureOfAListener_ArrivesTyped()
    {
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(
            () => Proxy<IHub>().FailAsync(new Listener(), "listener failed"));
        Assert.Equal("listener failed", failure.Message);
    }

    [Fact]
    [Trait("Case", "glue-63")]
    public async Task CallsBackAndForth_Nest()
    {
        var hub = Proxy<IHub>();
        var listener = new Listener();
        listener.Answer = async depth => depth == 0 ? 100 : await hub.RecurseAsync(listener, depth - 1) + 1;
        Assert.Equal(120, await hub.RecurseAsync(listener, 20).WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-63")]
    public async Task StreamsOfCallbacks_CrossBothWays() =>
        Assert.Equal(Enumerable.Range(0, 500).Sum(), await Proxy<IHub>().EchoAsync(new Listener(), 500));

    [Fact]
    [Trait("Case", "glue-64")]
    public async Task ReleasedProxy_FailsTyped_AndTheObjectCanBePassedAgain()
    {
        if (!Binding.Serializes)
            return;
        var hub = Proxy<IHub>();
        var listener = new Listener();
        await hub.KeepAsync(listener);
        await hub.ReleaseAsync(listener);
        await CheckReleasedAsync(hub);
        Assert.Equal(3, await hub.CallAsync(listener, 1));
    }

    [Fact]
    [Trait("Case", "glue-64")]
    public async Task ObjectReleasedByItsOwner_FailsTypedAtTheOtherSide()
    {
        if (!Binding.Serializes)
            return;
        var hub = Proxy<IHub>();
        var listener = new Listener();
        await hub.KeepAsync(listener);
        GlueReference.Release(listener);
        await CheckReleasedAsync(hub);
        Assert.Equal(3, await hub.CallAsync(listener, 1));
    }

    [Fact]
    public async Task InterfaceAllowedByName_IsData() =>
        Assert.Equal("data", await Proxy<IHub>().NameAsync(new Named { Text = "data" }));

    private static async Task CheckReleasedAsync(IHub hub)
    {
        Assert.Equal(GlueErrorCode.ReferenceReleased, await hub.FailureOfKeptAsync());
        // The failure is the hub's, which made the call.
        var failure = await Assert.ThrowsAsync<RemoteException>(() => hub.CallKeptAsync(1));
        Assert.Contains("GlueException", failure.TypeName, StringComparison.Ordinal);
        Assert.Contains("was released", failure.Message, StringComparison.Ordinal);
    }
}
