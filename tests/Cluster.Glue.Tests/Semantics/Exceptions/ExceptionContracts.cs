namespace Cluster.Glue.Tests.Semantics.Exceptions;

/// <summary>Has no constructor without parameters, and fields of its own.</summary>
public sealed class StockException(int shelf, string[] missing, Exception? inner)
    : Exception($"shelf {shelf}", inner)
{
    public int Shelf { get; } = shelf;

    public IReadOnlyList<string> Missing { get; } = missing;
}

/// <summary>On the server's list only.</summary>
public sealed class ServerOnlyException(string message) : Exception(message);

/// <summary>On the list; what it holds cannot travel.</summary>
public sealed class HeavyException(string message) : Exception(message)
{
    public Action Callback { get; } = () => { };
}

/// <summary>Throws whatever it is asked.</summary>
public sealed class MuteException : Exception
{
    public override string Message => throw new InvalidOperationException("no message");

    public override string StackTrace => throw new InvalidOperationException("no stack");

    public override System.Collections.IDictionary Data => throw new InvalidOperationException("no data");
}

public interface IThrower
{
    Task ThrowArgumentAsync(string? parameter);
    Task ThrowStockAsync();
    Task ThrowTreeAsync();
    Task ThrowUnlistedAsync();
    Task ThrowPrivateAsync();
    Task ThrowHeavyAsync();
    Task ThrowMuteAsync();
    Task ThrowChainAsync(int length, bool isListed);
    Task ThrowServerOnlyAsync();
    Task<int> FineAsync();
}

internal sealed class Thrower : IThrower
{
    public Task ThrowArgumentAsync(string? parameter) =>
        throw new ArgumentOutOfRangeException(parameter, 7, "too far");

    public async Task ThrowStockAsync()
    {
        await Task.Yield();
        throw new StockException(3, ["tea", "milk"], new InvalidOperationException("nobody ordered"));
    }

    public Task ThrowTreeAsync() =>
        throw new AggregateException(
            "tree",
            new StockException(1, [], null),
            new AggregateException("branch", new InvalidOperationException("leaf")));

    public Task ThrowUnlistedAsync()
    {
        var cause = new UnlistedException("cause");
        var outer = new InvalidOperationException("outer", cause) { Data = { ["order"] = 7, ["none"] = null } };
        throw outer;
    }

    public Task ThrowPrivateAsync() => throw new PrivateException();

    public Task ThrowHeavyAsync() => throw new HeavyException("heavy");

    public Task ThrowMuteAsync() => throw new MuteException();

    public Task ThrowChainAsync(int length, bool isListed)
    {
        Exception chain = isListed ? new InvalidOperationException("0") : new UnlistedException("0");
        for (var i = 1; i < length; i++)
            chain = new InvalidOperationException($"{i}", chain);
        throw chain;
    }

    public Task ThrowServerOnlyAsync() => throw new ServerOnlyException("mine");

    public Task<int> FineAsync() => Task.FromResult(1);

    private sealed class PrivateException() : Exception("private");
}
