namespace Cluster.StateStore;

/// <summary>Numbers the writes of one partition. A key's version rises with each write, and never comes back after a
/// removal or a change of owner, so that a conditional write cannot mistake a new value for an old one.</summary>
/// <param name="Value">The number; zero means that there is no value.</param>
public readonly record struct StateVersion(long Value) : IComparable<StateVersion>
{
    /// <summary>The version of a key without a value.</summary>
    public static StateVersion None => default;

    /// <inheritdoc />
    public int CompareTo(StateVersion other) => Value.CompareTo(other.Value);

    /// <inheritdoc />
    public override string ToString() => Value.ToString(CultureInfo.InvariantCulture);

    /// <summary>Orders by number: the smaller version is the older one.</summary>
    public static bool operator <(StateVersion left, StateVersion right) => left.Value < right.Value;

    /// <summary>Orders by number: the smaller version is the older one.</summary>
    public static bool operator >(StateVersion left, StateVersion right) => left.Value > right.Value;

    /// <summary>Orders by number: the smaller version is the older one.</summary>
    public static bool operator <=(StateVersion left, StateVersion right) => left.Value <= right.Value;

    /// <summary>Orders by number: the smaller version is the older one.</summary>
    public static bool operator >=(StateVersion left, StateVersion right) => left.Value >= right.Value;
}
