namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Adds a line and returns the new number of lines.</summary>
public sealed class AddLine(string sku, int count) : IStateOperation<Cart, int>
{
    public int Apply(ref Cart? state, in OperationContext context)
    {
        state ??= new Cart();
        state.With(sku, count);
        return state.Lines.Count;
    }
}

/// <summary>Removes the cart and returns it.</summary>
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

/// <summary>Leaves a value that Slim refuses to write.</summary>
public sealed class MakeUncarriable : IStateOperation<Cart, int>
{
    public int Apply(ref Cart? state, in OperationContext context)
    {
        state = new Cart { Extra = new MemoryStream() };
        return 0;
    }
}

/// <summary>An operation on a value type of another assembly, so it must be registered by hand.</summary>
public sealed class AppendText(string text) : IStateOperation<string, int>
{
    public int Apply(ref string? state, in OperationContext context)
    {
        state += text;
        return state.Length;
    }
}

/// <summary>Sets the text and returns it.</summary>
public sealed class EchoText(string text) : IStateOperation<string, string>
{
    public string Apply(ref string? state, in OperationContext context) => state = text;
}

/// <summary>Counts. A struct, like its value.</summary>
public readonly struct Increment : IStateOperation<int?, int>
{
    public int Apply(ref int? state, in OperationContext context)
    {
        state = (state ?? 0) + 1;
        return state.Value;
    }
}

/// <summary>Returns the time and the random number that it received.</summary>
public sealed class Look : IStateOperation<Cart, (DateTimeOffset Now, int Random)>
{
    public (DateTimeOffset Now, int Random) Apply(ref Cart? state, in OperationContext context) =>
        (context.UtcNow, context.CreateRandom().Next());
}
