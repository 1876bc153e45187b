using Cluster.StateStore;

namespace Cluster.Nodes.Tests.Docs;

// <snippet:types>
/// <summary>A value: any class or record. It needs no attributes.</summary>
public sealed class Product
{
    /// <summary>How many are there.</summary>
    public int Stock { get; set; }
}

/// <summary>An operation runs once, on the node that owns the key, while no other write of the key runs.</summary>
/// <param name="count">How many are taken.</param>
public sealed class Take(int count) : IStateOperation<Product, bool>
{
    /// <inheritdoc />
    public bool Apply(ref Product? product, in OperationContext context)
    {
        if (product is null || product.Stock < count)
            return false;
        product.Stock -= count;
        return true;
    }
}
// </snippet:types>
