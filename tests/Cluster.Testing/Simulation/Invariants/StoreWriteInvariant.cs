namespace Cluster.Testing.Simulation.Invariants;

/// <summary>I12: the number of writes of the table is bounded by what happened to members and partitions, so that no
/// fault makes the nodes write without end.</summary>
public sealed class StoreWriteInvariant : IInvariant
{
    private const int WritesAtStart = 40;
    private const int WritesPerEvent = 12;
    private const int ChangesPerEvent = 6;

    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        var versions = cluster.Store.Versions;
        var changes = 0;
        for (var index = 1; index < versions.Count; index++)
        {
            var (before, after) = (versions[index - 1].Table.Partitions, versions[index].Table.Partitions);
            for (var partition = 0; partition < after.Length; partition++)
                changes += ReferenceEquals(before[partition], after[partition]) ? 0 : 1;
        }

        // A fault begins and ends; a life begins and mostly ends.
        var events = 2 * (cluster.Faults.BegunCount + cluster.LifeCount);
        var writesMax = WritesAtStart + (WritesPerEvent * events) + changes;
        if (versions.Count > writesMax)
            cluster.World.Violate("I12", $"{versions.Count} writes of the table, at most {writesMax}");
        var changesMax = ChangesPerEvent * events * cluster.Settings.PartitionCount;
        if (changes > changesMax)
            cluster.World.Violate("I12", $"{changes} changes of partitions, at most {changesMax}");
    }
}
