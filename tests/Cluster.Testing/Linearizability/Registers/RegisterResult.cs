namespace Cluster.Testing.Linearizability.Registers;

/// <summary>The answer of a register to a caller. Immutable.</summary>
public readonly record struct RegisterResult
{
    private RegisterResult(long? value, bool? flag)
    {
        Value = value;
        Flag = flag;
    }

    /// <summary>An answer that says only that the operation was done.</summary>
    public static RegisterResult Done => default;

    /// <summary>The value that was read, or the sum; null for no value.</summary>
    public long? Value { get; }

    /// <summary>Whether a swap took place, or whether a write or delete found a value; null if the answer does not
    /// tell.</summary>
    public bool? Flag { get; }

    /// <summary>An answer with a value; null: the register has none.</summary>
    public static RegisterResult Of(long? value) => new(value, null);

    /// <summary>An answer with yes or no.</summary>
    public static RegisterResult Of(bool flag) => new(null, flag);

    /// <inheritdoc/>
    public override string ToString() => Flag is { } flag ? $"{flag}" : Value is { } value ? $"{value}" : "absent";
}
