using Cluster.Slim;
using Shop.Carts;

namespace Shop.Tests.Carts;

public sealed class CartTests
{
    [Fact]
    public void AddLine_NoCart_MakesOne()
    {
        var (cart, totals) = Apply(null, new AddLine("s", "bash", 2));

        Assert.Equal("s", cart.Session);
        Assert.Equal((1, 1, 2), (totals.Revision, totals.LineCount, totals.Quantity));
        Assert.Same(cart, Assert.Single(cart.Lines).Cart);
    }

    [Fact]
    public void AddLine_SamePackage_AddsToItsLine()
    {
        var (cart, _) = Apply(null, new AddLine("s", "bash", 2));
        var (same, totals) = Apply(cart, new AddLine("s", "bash", 3));

        Assert.Same(cart, same);
        Assert.Equal((2, 1, 5), (totals.Revision, totals.LineCount, totals.Quantity));
    }

    [Fact]
    public void AddLine_TooManyPackages_ChangesNothing()
    {
        Cart? cart = null;
        for (var index = 0; index < Cart.LineCountMax; index++)
            (cart, _) = Apply(cart, new AddLine("s", $"p{index}", 1));

        Assert.Throws<InvalidOperationException>(() => Apply(cart, new AddLine("s", "one more", 1)));
        Assert.Equal((Cart.LineCountMax, Cart.LineCountMax), (cart!.Lines.Count, cart.Revision));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void AddLine_NoQuantity_IsRefused(int quantity) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Apply(null, new AddLine("s", "bash", quantity)));

    [Fact]
    public void Cart_ThroughSlim_KeepsItsCycle()
    {
        var (cart, _) = Apply(null, new AddLine("s", "bash", 2));
        (cart, _) = Apply(cart, new AddLine("s", "dash", 1));

        var copy = new SlimSerializer().DeepClone(cart);

        Assert.NotSame(cart, copy);
        Assert.Equal(["bash", "dash"], copy.Lines.Select(line => line.Package));
        Assert.All(copy.Lines, line => Assert.Same(copy, line.Cart));
        Assert.Equal((2, 3), (copy.Revision, copy.Quantity));
    }

    private static (Cart Cart, CartTotals Totals) Apply(Cart? cart, AddLine operation)
    {
        var totals = operation.Apply(ref cart, default);
        return (cart!, totals);
    }
}
