namespace Cluster.Testing.Linearizability;

/// <summary>What a caller got back from a register. Immutable.</summary>
public readonly record struct RegisterResult
{
    private RegisterResult(long? value, bool? flag)
    {
        Value = value;
        Flag = flag;
    }

    /// <summary>An answer that says nothing beside that the operation was done.</summary>
    public static RegisterResult Done => default;

    /// <summary>The value that was read or is the sum; null for an absent one.</summary>
    public long? Value { get; }

    /// <summary>Whether a swap took place, or whether a write or delete found a value; null where it was not
    /// said.</summary>
    public bool? Flag { get; }

    /// <summary>An answer with a value, or with the absence of one.</summary>
    public static RegisterResult Of(long? value) => new(value, null);

    /// <summary>An answer of yes or no.</summary>
    public static RegisterResult Of(bool flag) => new(null, flag);

    /// <inheritdoc/>
    public override string ToString() => Flag is { } flag ? $"{flag}" : Value is { } value ? $"{value}" : "absent";
}
