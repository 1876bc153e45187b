using Cluster.StateStore;

namespace Cluster.Nodes.Tests.Docs;

// <snippet:types>
/// <summary>A value: any class. No attributes, private fields travel, references stay references.</summary>
public sealed class Cart
{
    private readonly List<string> _lines = [];

    public IReadOnlyList<string> Lines => _lines;

    public void Add(string product) => _lines.Add(product);
}

/// <summary>A change that runs once, on the node that owns the key.</summary>
public sealed class AddProduct(string product) : IStateOperation<Cart, int>
{
    public int Apply(ref Cart? cart, in OperationContext context)
    {
        cart ??= new Cart();
        cart.Add(product);
        return cart.Lines.Count;
    }
}

/// <summary>A service: any interface.</summary>
public interface IShopping
{
    Task<Cart> PutAsideAsync(string session, string product, CancellationToken cancellationToken = default);
}

/// <summary>Its implementation, anywhere in the cluster.</summary>
public sealed class Shopping(IPartitionedState<string, Cart> carts) : IShopping
{
    public async Task<Cart> PutAsideAsync(string session, string product, CancellationToken cancellationToken)
    {
        await carts.UpdateAsync(session, new AddProduct(product), cancellationToken);
        return await carts.GetAsync(session, cancellationToken)
            ?? throw new InvalidOperationException("The cart is gone.");
    }
}
// </snippet:types>
