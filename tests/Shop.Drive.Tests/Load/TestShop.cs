using Shop.Catalog;
using Shop.Orders;

namespace Shop.Drive.Tests.Load;

/// <summary>The services of a node over the embedded catalog, which is loaded once. Tests do not change it.</summary>
internal static class TestShop
{
    private static readonly Lazy<PackageCatalog> Whole = new(PackageCatalog.LoadEmbedded);

    public static ICatalog Catalog(string node) => new CatalogService(new NodeName(node), Whole.Value);

    public static IOrders Orders(string node) => new OrderService(new NodeName(node), Whole.Value);
}
