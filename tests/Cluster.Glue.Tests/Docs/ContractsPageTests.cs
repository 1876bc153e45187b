namespace Cluster.Glue.Tests.Docs;

/// <summary>What docs/contracts.md and docs/errors.md print.</summary>
public sealed class ContractsPageTests
{
    // <snippet:contract>
    public interface IOrders
    {
        Task<Order> PlaceAsync(Cart cart, CancellationToken cancellationToken = default);
        Task<T> FindAsync<T>(int id) where T : Order;       // closed over types on the server's list
        [OneWay] Task TrackAsync(string click);             // completes when it is queued
        int Open { get; }                                   // a call, like a synchronous method
        bool IsLarge(Order order) => order.Total > 100;     // runs on the server
    }
    // </snippet:contract>

    // <snippet:instance>
    public interface IBasket
    {
        [Constructor] Task<GlueInstance> OpenAsync(string customer);
        Task<int> AddAsync(string sku);
        [Destructor] Task<Order> CheckOutAsync();
    }
    // </snippet:instance>

    // <snippet:alias>
    [Alias("Shop.Old.Cart")]                                // moved here from another namespace
    public sealed class Cart
    {
        [Alias("Items")]
        public List<string> Skus { get; set; } = [];
    }
    // </snippet:alias>

    public class Order
    {
        public int Id { get; set; }
        public decimal Total { get; set; }
    }

    [Fact]
    public async Task Pages_AsPrinted_Run()
    {
        await using var host = await GlueHost.StartAsync(null, AddServices);
        var address = host.Address;
        await using var client = new GlueClient();
        var orders = client.CreateProxy<IOrders>(address);
        Assert.Equal(2, (await orders.PlaceAsync(new Cart { Skus = { "a", "b" } })).Id);
        Assert.Equal(7, (await orders.FindAsync<Order>(7)).Id);
        Assert.Equal(1, orders.Open);

        // <snippet:handle>
        var baskets = client.CreateProxy<IBasket>(address);
        var handle = await baskets.OpenAsync("Ada");   // a value: keep it, pass it to others
        var basket = baskets.At(handle);
        await basket.AddAsync("tea");
        var order = await basket.CheckOutAsync();             // the instance is gone now
        // </snippet:handle>
        Assert.Equal(1, order.Id);

        // <snippet:headers>
        using (var scope = GlueCall.WithHeaders(new GlueHeaders().Set("tenant", "north")))
        {
            await orders.TrackAsync("start");
            await orders.PlaceAsync(new Cart());
            var region = scope.Reply?.FindText("region");   // set by the service: GlueCall.Current.ReplyHeaders
            Assert.Equal("eu north", region);
        }
        // </snippet:headers>

        // <snippet:errors>
        try
        {
            await basket.AddAsync("milk");
        }
        catch (GlueException failure) when (failure.Delivery == GlueDelivery.NotDelivered)
        {
            // The method did not run: it is safe to call again, here after opening another basket.
            Assert.Equal(GlueErrorCode.NoSuchInstance, failure.Code);
        }
        // </snippet:errors>
        var gone = await Assert.ThrowsAsync<GlueException>(() => basket.AddAsync("milk"));
        Assert.Equal(GlueErrorCode.NoSuchInstance, gone.Code);
    }

    private static void AddServices(GlueServerBuilder glue)
    {
        // <snippet:register>
        glue.AddService<IOrders, OrderService>()                        // PerCall: a DI scope for each call
            .AddService<IBasket, Basket>(GlueInstanceMode.Stateful);    // an object for each handle
        // </snippet:register>
    }

    private sealed class OrderService : IOrders
    {
        public int Open => 1;

        public Task<Order> PlaceAsync(Cart cart, CancellationToken cancellationToken)
        {
            GlueCall.Current!.ReplyHeaders.Set("region", "eu " + GlueCall.Current.Headers.FindText("tenant"));
            return Task.FromResult(new Order { Id = cart.Skus.Count });
        }

        public Task<T> FindAsync<T>(int id)
            where T : Order =>
            Task.FromResult((T)new Order { Id = id });

        public Task TrackAsync(string click) => Task.CompletedTask;
    }

    private sealed class Basket : IBasket
    {
        private int _count;

        public Task<GlueInstance> OpenAsync(string customer) => Task.FromResult(default(GlueInstance));

        public Task<int> AddAsync(string sku) => Task.FromResult(++_count);

        public Task<Order> CheckOutAsync() => Task.FromResult(new Order { Id = _count });
    }
}
