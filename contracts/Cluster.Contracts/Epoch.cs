namespace Cluster.Contracts;

/// <summary>Numbers the configurations of one partition. It rises with each change of owner or replica set and never
/// falls, so a request or a write that carries an older epoch is known to be stale. The default value means "never
/// owned".</summary>
/// <param name="Value">The number.</param>
public readonly record struct Epoch(long Value) : IComparable<Epoch>
{
    /// <summary>The epoch that follows this one.</summary>
    public Epoch Next() => new(checked(Value + 1));

    /// <inheritdoc />
    public int CompareTo(Epoch other) => Value.CompareTo(other.Value);

    /// <inheritdoc />
    public override string ToString() => Value.ToString(CultureInfo.InvariantCulture);

    /// <summary>Orders by number: the smaller epoch is the older one.</summary>
    public static bool operator <(Epoch left, Epoch right) => left.Value < right.Value;

    /// <summary>Orders by number: the smaller epoch is the older one.</summary>
    public static bool operator >(Epoch left, Epoch right) => left.Value > right.Value;

    /// <summary>Orders by number: the smaller epoch is the older one.</summary>
    public static bool operator <=(Epoch left, Epoch right) => left.Value <= right.Value;

    /// <summary>Orders by number: the smaller epoch is the older one.</summary>
    public static bool operator >=(Epoch left, Epoch right) => left.Value >= right.Value;
}
