using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics.Disposal;

/// <summary>Contracts that are disposable: each side disposes its own objects, and a caller not the server's.</summary>
public abstract class DisposalSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private Desk Service => Server.Services.GetRequiredService<Desk>();

    [Fact]
    public async Task Proxy_ThatIsDisposed_LeavesTheServiceAlone_AndWorksOn()
    {
        var desk = Proxy<IDesk>();
        Assert.Equal(1, await desk.NextAsync());
        desk.Dispose();
        await desk.DisposeAsync();
        Assert.Equal(2, await desk.NextAsync());
        Assert.Equal(0, Service.Disposals);
    }

    [Fact]
    public async Task Container_ThatEnds_DoesNotCallTheServer()
    {
        var services = new ServiceCollection();
        services.AddGlueClient(ConfigureForTest).AddGlueClient<IDesk>(Target);
        await using (var provider = services.BuildServiceProvider())
            Assert.Equal(1, await provider.GetRequiredService<IDesk>().NextAsync());
        Assert.Equal(0, Service.Disposals);
    }

    [Fact]
    public async Task ObjectOfAPeer_ThatIsDisposed_IsGivenBack_AndItsOwnerKeepsIt()
    {
        // Without serialization there is no proxy: the object itself is disposed.
        if (!Binding.Serializes)
            return;
        var desk = Proxy<IDesk>();
        var bell = new Bell();
        await desk.KeepAsync(bell);
        Assert.Equal(1, await desk.RingAsync());
        await desk.DropAsync();
        var released = await Assert.ThrowsAsync<RemoteException>(desk.RingAsync);
        Assert.Contains("was released", released.Message, StringComparison.Ordinal);
        Assert.Equal(0, bell.Disposals);
        await desk.KeepAsync(bell);
        Assert.Equal(2, await desk.RingAsync());
    }

    private protected override void AddServices(GlueServerBuilder glue)
    {
        glue.Services.AddSingleton<Desk>();
        glue.AddService<IDesk, Desk>(GlueInstanceMode.Singleton);
    }
}
