namespace Cluster.Testing.Linearizability.Registers;

/// <summary>A caller's request to a register. Immutable; each method makes the request of one action.</summary>
public readonly record struct RegisterOperation
{
    private RegisterOperation(RegisterAction action, long value = 0, long? expected = null)
    {
        Action = action;
        Value = value;
        Expected = expected;
    }

    /// <summary>The action.</summary>
    public RegisterAction Action { get; }

    /// <summary>The value that is written or added; zero if there is none.</summary>
    public long Value { get; }

    /// <summary>The value that a compare-and-swap expects; null: no value.</summary>
    public long? Expected { get; }

    /// <summary>A read.</summary>
    public static RegisterOperation Read() => new(RegisterAction.Read);

    /// <summary>A blind write.</summary>
    public static RegisterOperation Write(long value) => new(RegisterAction.Write, value);

    /// <summary>A write that happens only if the register has the expected value; null expects none.</summary>
    public static RegisterOperation CompareAndSwap(long? expected, long value) =>
        new(RegisterAction.CompareAndSwap, value, expected);

    /// <summary>A delete.</summary>
    public static RegisterOperation Delete() => new(RegisterAction.Delete);

    /// <summary>An addition.</summary>
    public static RegisterOperation Increment(long by) => new(RegisterAction.Increment, by);

    /// <summary>A read that returns its own value if the register has none.</summary>
    public static RegisterOperation ReadOrWrite(long value) => new(RegisterAction.ReadOrWrite, value);

    /// <inheritdoc/>
    public override string ToString() => Action switch
    {
        RegisterAction.Read or RegisterAction.Delete => $"{Action}",
        RegisterAction.CompareAndSwap => $"{Action}({(Expected is { } value ? value : "absent")} -> {Value})",
        _ => $"{Action}({Value})",
    };
}
