namespace Cluster.Contracts;

/// <summary>The index of one hash partition of the cluster's state, from 0 to the partition count less one.</summary>
/// <param name="Value">The index.</param>
public readonly record struct PartitionId(int Value) : IComparable<PartitionId>
{
    /// <inheritdoc />
    public int CompareTo(PartitionId other) => Value.CompareTo(other.Value);

    /// <inheritdoc />
    public override string ToString() => Value.ToString(CultureInfo.InvariantCulture);

    /// <summary>Orders by index.</summary>
    public static bool operator <(PartitionId left, PartitionId right) => left.Value < right.Value;

    /// <summary>Orders by index.</summary>
    public static bool operator >(PartitionId left, PartitionId right) => left.Value > right.Value;

    /// <summary>Orders by index.</summary>
    public static bool operator <=(PartitionId left, PartitionId right) => left.Value <= right.Value;

    /// <summary>Orders by index.</summary>
    public static bool operator >=(PartitionId left, PartitionId right) => left.Value >= right.Value;
}
