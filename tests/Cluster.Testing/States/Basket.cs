namespace Cluster.Testing.States;

/// <summary>The value of the states in <see cref="StateConformanceTests"/>: a graph with a field that can hold any
/// object.</summary>
public sealed class Basket
{
    public List<string> Lines { get; } = [];

    public object? Extra { get; set; }
}

/// <summary>A type that the registration allows in a field of type <c>object</c>.</summary>
public sealed record Ribbon(string Colour);

/// <summary>A type that the registration does not allow.</summary>
public sealed record Stranger(string Name);

/// <summary>An exception that the registration allows.</summary>
public sealed class OutOfStockException(string sku, int left, Exception? inner = null)
    : Exception($"{sku} is out of stock", inner)
{
    public string Sku { get; } = sku;

    public int Left { get; } = left;
}

/// <summary>An exception that the registration does not allow.</summary>
public sealed class UnlistedException(string message, Exception? inner = null) : Exception(message, inner);

/// <summary>An exception whose message cannot be read: reading it throws.</summary>
public sealed class MuteException : Exception
{
    public override string Message => throw new InvalidOperationException("no message");
}
