namespace Cluster.StateStore.Tests.Local;

/// <summary>Adds a line and answers how many there are then.</summary>
public sealed class AddLine(string sku, int count) : IStateOperation<Cart, int>
{
    public int Apply(ref Cart? state, in OperationContext context)
    {
        state ??= new Cart();
        state.With(sku, count);
        return state.Lines.Count;
    }
}

/// <summary>Removes the cart and answers what it was.</summary>
public sealed class CheckOut : IStateOperation<Cart, Cart?>
{
    public Cart? Apply(ref Cart? state, in OperationContext context)
    {
        var cart = state;
        state = null;
        return cart;
    }
}

/// <summary>Changes the cart and then fails.</summary>
public sealed class FailAfterChange : IStateOperation<Cart, int>
{
    public int Apply(ref Cart? state, in OperationContext context)
    {
        state = new Cart { Owner = "half-done" };
        throw new NotSupportedException("out of stock");
    }
}

/// <summary>Leaves a value that cannot be carried.</summary>
public sealed class MakeUncarriable : IStateOperation<Cart, int>
{
    public int Apply(ref Cart? state, in OperationContext context)
    {
        state = new Cart { Extra = new MemoryStream() };
        return 0;
    }
}

/// <summary>An operation of another assembly's value type, so that it must be registered by hand.</summary>
public sealed class AppendText(string text) : IStateOperation<string, int>
{
    public int Apply(ref string? state, in OperationContext context)
    {
        state += text;
        return state.Length;
    }
}

/// <summary>Counts; a struct, like the value that it counts in.</summary>
public readonly struct Increment : IStateOperation<int?, int>
{
    public int Apply(ref int? state, in OperationContext context)
    {
        state = (state ?? 0) + 1;
        return state.Value;
    }
}

/// <summary>Answers the time and the random numbers that it was given.</summary>
public sealed class Look : IStateOperation<Cart, (DateTimeOffset Now, int Random)>
{
    public (DateTimeOffset Now, int Random) Apply(ref Cart? state, in OperationContext context) =>
        (context.UtcNow, context.CreateRandom().Next());
}
