using Cluster.Glue.Authorization;
using Cluster.Glue.Filters;
using Cluster.Testing.Glue;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Docs;

/// <summary>The code of docs/glue.md and docs/moving.md, run.</summary>
public sealed class GluePageTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    // <snippet:contract>
    public interface IOrders
    {
        Task<Order> PlaceAsync(string product, int count, CancellationToken cancellationToken = default);

        ValueTask<Order?> FindAsync(int id);

        [OneWay]
        Task TrackAsync(string what);
    }

    public sealed class Order
    {
        public int Id { get; set; }

        public string Product { get; set; } = "";

        public List<Order> Related { get; } = [];
    }
    // </snippet:contract>

    // <snippet:service>
    public sealed class OrderService : IOrders
    {
        public Task<Order> PlaceAsync(string product, int count, CancellationToken cancellationToken)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
            var left = GlueCall.Current!.Remaining;             // the caller's deadline, for what is called from here
            return Task.FromResult(new Order { Id = 1, Product = $"{count} {product} in {left.TotalSeconds > 0}" });
        }

        public ValueTask<Order?> FindAsync(int id) => ValueTask.FromResult<Order?>(null);

        public Task TrackAsync(string what) => Task.CompletedTask;
    }
    // </snippet:service>

    // <snippet:filter>
    public sealed class TenantFilter(ITenants tenants) : IGlueFilter
    {
        public async ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed)
        {
            context.Headers.Set("tenant", tenants.Current);
            await proceed(context);                                  // further filters, then the call
            if (context.Result is Order order)
                order.Product += $" for {tenants.Current}";          // the caller sees the changed result
        }
    }

    public sealed class LimitFilter(int countMax) : IGlueFilter
    {
        public ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed)
        {
            if (context.Method.Name != nameof(IOrders.PlaceAsync))
                return proceed(context);
            if (context.Headers.FindText("tenant") is null)
                throw new UnauthorizedAccessException("Who are you?");
            context.Arguments[1] = Math.Min((int)context.Arguments[1]!, countMax);
            return proceed(context);
        }
    }
    // </snippet:filter>

    public interface ITenants
    {
        string Current { get; }
    }

    public sealed class NorthernTenants : ITenants
    {
        public string Current => "north";
    }

    [Fact]
    public async Task Filters_AreAdded_AsOnThePage()
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        // <snippet:filters>
        builder.Services
            .AddGlueServer(options => options.ListenAddress = "http://127.0.0.1:0")
            .AddService<IOrders, OrderService>(filters: own => own.Add(new LimitFilter(countMax: 3)));
        // </snippet:filters>
        using var host = builder.Build();
        await host.StartAsync();
        var address = host.Services.GetRequiredService<GlueListener>().Address!;
        var services = new ServiceCollection();
        services.AddSingleton<ITenants, NorthernTenants>();
        // <snippet:client-filters>
        services.AddGlueClient<IOrders>(address).AddFilter<TenantFilter>();
        // </snippet:client-filters>
        await using var provider = services.BuildServiceProvider();
        var order = await provider.GetRequiredService<IOrders>().PlaceAsync("tea", 100);
        Assert.Equal("3 tea in True for north", order.Product);
        await using var stranger = new GlueClient();
        await Assert.ThrowsAsync<UnauthorizedAccessException>(
            () => stranger.CreateProxy<IOrders>(address).PlaceAsync("tea", 1));
        await host.StopAsync();
    }

    [Fact]
    public async Task Server_AndClient_OfTheQuickStart_Work()
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        // <snippet:server>
        builder.Services
            .AddGlueServer(options => options.ListenAddress = "http://127.0.0.1:0")
            .AddService<IOrders, OrderService>();
        // </snippet:server>
        using var host = builder.Build();
        await host.StartAsync();
        var address = host.Services.GetRequiredService<GlueListener>().Address!;

        var services = new ServiceCollection();
        // <snippet:client>
        services.AddGlueClient(options => options.DefaultDeadline = TimeSpan.FromSeconds(30));
        services.AddGlueClient<IOrders>(address);
        // </snippet:client>
        await using (var provider = services.BuildServiceProvider())
        {
            var orders = provider.GetRequiredService<IOrders>();
            // <snippet:call>
            var order = await orders.PlaceAsync("tea", 2);
            await orders.TrackAsync("placed");                       // sent, and nobody waits

            using (GlueCall.WithDeadline(TimeSpan.FromSeconds(20)))
                await orders.FindAsync(order.Id);
            // </snippet:call>
            Assert.Equal("2 tea in True", order.Product);
            await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => orders.PlaceAsync("tea", 0));
        }

        await CheckWithoutAHostAsync(address);
        await host.StopAsync();
    }

    [Fact]
    public async Task Failures_AreToldApart_AsOnThePage()
    {
        using var nobody = new Cluster.Testing.RefusingPort();
        await using var client = new GlueClient();
        var orders = client.CreateProxy<IOrders>(nobody.Address);
        var seen = "";
        // <snippet:failures>
        try
        {
            await orders.PlaceAsync("tea", 1);
        }
        catch (GlueException failure) when (failure.Delivery == GlueDelivery.NotDelivered)
        {
            seen = $"safe to repeat: {failure.Code}";                // the method has not run and will not
        }
        catch (GlueException failure)
        {
            seen = $"repeat only what is idempotent: {failure.Kind}";
        }
        // </snippet:failures>
        Assert.Equal("safe to repeat: ConnectFailed", seen);
    }

    [Fact]
    public async Task MappedServer_SharesAnApplication()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        // <snippet:mapped>
        builder.Services.AddGlueServer().AddService<IOrders, OrderService>(GlueInstanceMode.Singleton);
        builder.WebHost.UseKestrel(kestrel => kestrel.Listen(
            IPAddress.Loopback, 0, endpoint => endpoint.Protocols = HttpProtocols.Http2));

        var app = builder.Build();
        app.MapGlue();
        // </snippet:mapped>
        await using (app)
        {
            await app.StartAsync();
            await using var client = new GlueClient();
            Assert.Null(await client.CreateProxy<IOrders>(app.Urls.First()).FindAsync(1));
        }
    }

    [Fact]
    public async Task FaultyLink_DisturbsAsThePageSays()
    {
        await using var host = await GlueHost.StartAsync(addServices: glue => glue.AddService<IOrders, OrderService>());
        // <snippet:faults>
        var faults = new FaultyLink(seed: 42);
        var options = new GlueClientOptions { ResumeWindow = TimeSpan.FromSeconds(30) };
        faults.Attach(options);
        await using var client = new GlueClient(options);
        var orders = client.CreateProxy<IOrders>(host.Address);

        faults.CutAt(3, FrameDirection.ToClient);                    // the third frame back does not arrive
        faults.Repeat(0.2);                                          // one frame in five comes twice
        var order = await orders.PlaceAsync("tea", 2);             // and yet the method has run once
        faults.Heal();
        // </snippet:faults>
        Assert.Equal(1, order.Id);
        Assert.Equal(42, faults.Seed);
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task Peers_ProveThemselves_AsThePageSays()
    {
        var secret = Convert.ToBase64String(System.Security.Cryptography.RandomNumberGenerator.GetBytes(32));
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        // <snippet:peers>
        var identity = new GluePeerIdentity { Realm = "orders", Secrets = { new GlueSecret(secret) } };
        builder.Services
            .AddGlueServer(options =>
            {
                options.ListenAddress = "http://127.0.0.1:0";
                options.PeerIdentity = identity;                     // or Glue:Server:PeerIdentity:Secrets:0
            })
            .AddService<IOrders, OrderService>(audience: GlueAudience.Peers);

        await using var client = new GlueClient(new GlueClientOptions { PeerIdentity = identity });
        // </snippet:peers>
        using var host = builder.Build();
        await host.StartAsync();
        var orders = client.CreateProxy<IOrders>(host.Services.GetRequiredService<GlueListener>().Address!);
        Assert.Equal(1, (await orders.PlaceAsync("tea", 1)).Id);
        await host.StopAsync();
    }

    private static async Task CheckWithoutAHostAsync(string address)
    {
        // <snippet:alone>
        await using var client = new GlueClient(new GlueClientOptions { ConnectTimeout = TimeSpan.FromSeconds(30) });
        var orders = client.CreateProxy<IOrders>(address);
        var order = await orders.PlaceAsync("coffee", 1);
        // </snippet:alone>
        Assert.Equal("1 coffee in True", order.Product);
        Assert.Null(await orders.FindAsync(7).AsTask().WaitAsync(Bound));
    }
}
