namespace Cluster.StateStore.Hosting.Tables;

/// <summary>A member's short number in the cluster table, so that a partition entry needs two bytes per node.</summary>
/// <param name="Value">The number; it is not reused while any partition entry names it.</param>
public readonly record struct NodeSlot(ushort Value)
{
    /// <inheritdoc />
    public override string ToString() => Value.ToString(CultureInfo.InvariantCulture);
}
