using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Testing.Simulation.Invariants;

/// <summary>I2 and I4, from the versions that the store has had: versions rise by one, epochs never fall, and a new
/// primary was in sync at the epoch before, unless a loss was counted. It judges the store's own validation as
/// well.</summary>
public sealed class TableInvariant : IInvariant
{
    private int _judged = 1;

    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        for (var versions = cluster.Store.Versions; _judged < versions.Count; _judged++)
        {
            if (FindViolation(versions[_judged - 1].Table, versions[_judged].Table) is var (invariant, text))
                cluster.World.Violate(invariant, text);
        }
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster) => Check(cluster);

    /// <summary>Returns the first promise that a version breaks, and how; null if it breaks none.</summary>
    /// <param name="before">The version before it.</param>
    /// <param name="after">The version.</param>
    public static (string Invariant, string Text)? FindViolation(ClusterTable before, ClusterTable after)
    {
        ArgumentNullException.ThrowIfNull(before);
        ArgumentNullException.ThrowIfNull(after);
        if (after.Version != before.Version + 1)
            return ("I2", $"version {after.Version} follows {before.Version}");
        for (var index = 0; index < after.Partitions.Length; index++)
        {
            var (from, to) = (before.Partitions[index], after.Partitions[index]);
            if (to.Epoch < from.Epoch)
                return ("I2", $"the epoch of partition {index} falls from {from.Epoch} to {to.Epoch}");
            if (IsUsurped(from, to))
                return ("I4", $"partition {index}: {to.Primary} was not in sync in {from}");
        }

        return null;
    }

    private static bool IsUsurped(PartitionEntry from, PartitionEntry to) =>
        from.Primary is not null
        && to.Primary is { } primary
        && to.LossCount == from.LossCount
        && !from.InSync.Items.Contains(primary);
}
