namespace Cluster.StateStore.Hosting.Tables;

/// <summary>What is fixed for the whole life of a cluster. Written once, when the cluster is bootstrapped.</summary>
/// <param name="ClusterId">Tells this cluster's data from any other's.</param>
/// <param name="Name">The configured cluster name.</param>
/// <param name="PartitionCount">How many hash partitions each set of partitions has: a power of two, at most
/// 16,384.</param>
/// <param name="HashSeed">Seeds the key hash, so that nobody can choose keys that all land on one partition.</param>
/// <param name="FormatVersion">The layout of everything else in the store.</param>
public sealed record ClusterMeta(Guid ClusterId, string Name, int PartitionCount, ulong HashSeed, int FormatVersion)
{
    /// <summary>The layout that this version of the library writes and reads.</summary>
    public const int CurrentFormatVersion = 1;

    /// <summary>The default partition count.</summary>
    public const int DefaultPartitionCount = 1_024;

    /// <summary>The largest count of partitions, those of all sets together, whose table fits into one Consul
    /// transaction.</summary>
    public const int MaxPartitionCount = 16_384;
}
