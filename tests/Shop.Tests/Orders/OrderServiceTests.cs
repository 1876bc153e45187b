using Cluster.Slim;
using Shop.Carts;
using Shop.Orders;
using Shop.Tests.Catalog;

namespace Shop.Tests.Orders;

public sealed class OrderServiceTests
{
    private readonly global::Shop.Catalog.PackageCatalog _catalog = TestCatalog.Of("bash", "dash");
    private readonly OrderService _service;

    public OrderServiceTests() => _service = new OrderService(new NodeName("n7"), _catalog);

    [Fact]
    public async Task PlaceAsync_PersonWithCart_AnswersALinkedOrder()
    {
        var cart = CartOf("bash", "dash");
        var customer = new PrivateCustomer("Ada", 10);

        var order = await _service.PlaceAsync(new Checkout(customer, cart), CancellationToken.None);

        Assert.Null(OrderCheck.FindProblem(order, cart, customer));
        Assert.Equal("n7", order.Node);
        Assert.Equal(201, order.InstalledKibibytes);
        Assert.Equal(20, customer.LoyaltyPoints);
        Assert.Null(customer.Checkout);
    }

    [Fact]
    public async Task PlaceAsync_Company_RewardsItsContact()
    {
        var contact = new PrivateCustomer("Ada", 0);

        await _service.PlaceAsync(
            new Checkout(new CompanyCustomer("Ltd", "T1", contact), CartOf("bash")), CancellationToken.None);

        Assert.Equal(5, contact.LoyaltyPoints);
    }

    [Fact]
    public async Task PlaceAsync_Twice_CountsOrdersAndPackages()
    {
        var first = await _service.PlaceAsync(CheckoutOf("bash"), CancellationToken.None);
        var second = await _service.PlaceAsync(CheckoutOf("bash", "bash"), CancellationToken.None);

        Assert.Equal((1, 2), (first.Number, second.Number));
        Assert.Equal(3, _catalog.Find("bash")!.OrderCount);
        Assert.Equal(0, _catalog.Find("dash")!.OrderCount);
    }

    [Fact]
    public async Task PlaceAsync_EmptyCart_IsRefused()
    {
        var failure = await Assert.ThrowsAsync<ArgumentException>(
            () => _service.PlaceAsync(CheckoutOf(), CancellationToken.None));

        Assert.Contains("s is empty", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task PlaceAsync_UnknownPackage_IsRefusedAndOrdersNothing()
    {
        var failure = await Assert.ThrowsAsync<ArgumentException>(
            () => _service.PlaceAsync(CheckoutOf("bash", "nothing"), CancellationToken.None));

        Assert.Contains("no package nothing", failure.Message, StringComparison.Ordinal);
        Assert.Equal(0, _catalog.Find("bash")!.OrderCount);
    }

    [Fact]
    public void Checkout_ThroughSlim_KeepsTypeAndCycle()
    {
        var checkout = new Checkout(new CompanyCustomer("Ltd", "T1", new PrivateCustomer("Ada", 3)), CartOf("bash"));

        var copy = new SlimSerializer().DeepClone(checkout);

        Assert.Same(copy, copy.Customer.Checkout);
        Assert.Equal("Ada", Assert.IsType<CompanyCustomer>(copy.Customer).Contact.Name);
        Assert.Same(copy.Cart, copy.Cart.Lines[0].Cart);
    }

    private static Checkout CheckoutOf(params string[] packages) =>
        new(new PrivateCustomer("Ada", 0), CartOf(packages));

    private static Cart CartOf(params string[] packages)
    {
        Cart? cart = new("s");
        foreach (var package in packages)
            new AddLine("s", package, 1).Apply(ref cart, default);

        return cart!;
    }
}
