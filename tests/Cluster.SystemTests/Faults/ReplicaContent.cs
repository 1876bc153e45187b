namespace Cluster.SystemTests.Faults;

/// <summary>What a replica contains, as its node tells it. Immutable.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Epoch">The epoch that the node knows.</param>
/// <param name="Phase">What the replica does.</param>
/// <param name="Records">The number of its records.</param>
/// <param name="Digest">A digest over keys, versions and sizes of the records.</param>
internal sealed record ReplicaContent(int Partition, long Epoch, string Phase, long Records, string Digest)
{
    public static ReplicaContent Parse(string text)
    {
        var parts = text.Split(':');
        return new ReplicaContent(
            int.Parse(parts[0], CultureInfo.InvariantCulture), long.Parse(parts[1], CultureInfo.InvariantCulture),
            parts[2], long.Parse(parts[3], CultureInfo.InvariantCulture), parts[4]);
    }
}
