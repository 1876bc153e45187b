namespace Cluster.Testing.Linearizability;

/// <summary>What a caller asked of a register. Immutable; made by the methods, one for each action.</summary>
public readonly record struct RegisterOperation
{
    private RegisterOperation(RegisterAction action, long value = 0, long? expected = null)
    {
        Action = action;
        Value = value;
        Expected = expected;
    }

    /// <summary>What is done.</summary>
    public RegisterAction Action { get; }

    /// <summary>What is written or added; zero where nothing is.</summary>
    public long Value { get; }

    /// <summary>What a compare-and-swap has to find; null for an absent value.</summary>
    public long? Expected { get; }

    /// <summary>A read.</summary>
    public static RegisterOperation Read() => new(RegisterAction.Read);

    /// <summary>A blind write.</summary>
    public static RegisterOperation Write(long value) => new(RegisterAction.Write, value);

    /// <summary>A write that happens only where the expected value is found; null expects none.</summary>
    public static RegisterOperation CompareAndSwap(long? expected, long value) =>
        new(RegisterAction.CompareAndSwap, value, expected);

    /// <summary>A delete.</summary>
    public static RegisterOperation Delete() => new(RegisterAction.Delete);

    /// <summary>An addition.</summary>
    public static RegisterOperation Increment(long by) => new(RegisterAction.Increment, by);

    /// <summary>A read that brings a value of its own where there is none.</summary>
    public static RegisterOperation ReadOrWrite(long value) => new(RegisterAction.ReadOrWrite, value);

    /// <inheritdoc/>
    public override string ToString() => Action switch
    {
        RegisterAction.Read or RegisterAction.Delete => $"{Action}",
        RegisterAction.CompareAndSwap => $"{Action}({(Expected is { } value ? value : "absent")} -> {Value})",
        _ => $"{Action}({Value})",
    };
}
