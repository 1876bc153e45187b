using Cluster.StateStore;

namespace Cluster.Testing.States;

/// <summary>Adds a line and changes its own fields, as a careless author's operation would.</summary>
public sealed class AddAndRemember(string line) : IStateOperation<Basket, List<string>>
{
    /// <summary>The answer of the operation: the same object that it keeps.</summary>
    public List<string> Remembered { get; } = [];

    public int RunCount { get; private set; }

    public List<string> Apply(ref Basket? state, in OperationContext context)
    {
        RunCount++;
        state ??= new Basket();
        state.Lines.Add(line);
        Remembered.AddRange(state.Lines);
        return Remembered;
    }
}

/// <summary>An operation that is a struct. Returns the number of lines, or -1 without a basket.</summary>
public readonly struct CountLines : IStateOperation<Basket, int>
{
    public int Apply(ref Basket? state, in OperationContext context) => state?.Lines.Count ?? -1;
}

/// <summary>Removes the basket.</summary>
public sealed class Empty : IStateOperation<Basket, Basket?>
{
    public Basket? Apply(ref Basket? state, in OperationContext context)
    {
        var before = state;
        state = null;
        return before;
    }
}

/// <summary>An operation with a delegate in a field.</summary>
public sealed class WithCode(Action<Basket> change) : IStateOperation<Basket, int>
{
    public int Apply(ref Basket? state, in OperationContext context)
    {
        state ??= new Basket();
        change(state);
        return 0;
    }
}

/// <summary>Has any object as its argument, puts any object into the basket and returns any object.</summary>
public sealed class Put(object? argument, object? extra, object? answer) : IStateOperation<Basket, object?>
{
    public object? Argument { get; } = argument;

    public object? Apply(ref Basket? state, in OperationContext context)
    {
        state ??= new Basket();
        state.Extra = extra is "stranger" ? new Stranger("left behind") : extra;
        return answer is "stranger" ? new Stranger("answered") : answer;
    }
}

/// <summary>Makes the basket larger than the maximum size of a value.</summary>
public sealed class Overfill : IStateOperation<Basket, int>
{
    public int Apply(ref Basket? state, in OperationContext context)
    {
        state ??= new Basket();
        state.Lines.Add(new string('x', 2 << 20));
        return 0;
    }
}

/// <summary>Changes the basket and then throws.</summary>
public sealed class Fail(FailureKind kind) : IStateOperation<Basket, int>
{
    public int Apply(ref Basket? state, in OperationContext context)
    {
        state = new Basket { Lines = { "half-done" } };
        throw Make(kind);
    }

    private static Exception Make(FailureKind kind)
    {
        switch (kind)
        {
            case FailureKind.Listed:
                return new OutOfStockException("apple", 3, new TimeoutException("the shelf"));
            case FailureKind.Framework:
                return new ArgumentOutOfRangeException(nameof(kind), 7, "too many");
            case FailureKind.Cancelled:
                return new OperationCanceledException("the customer left");
            case FailureKind.Mute:
                return new MuteException();
            default:
                var unlisted = new UnlistedException("not listed", new UnlistedException("its cause"));
                unlisted.Data["sku"] = "apple";
                return unlisted;
        }
    }
}

/// <summary>The kind of exception that <see cref="Fail"/> throws.</summary>
public enum FailureKind
{
    Listed,
    Unlisted,
    Framework,
    Cancelled,
    Mute,
}
