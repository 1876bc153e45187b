using Cluster.Contracts;

namespace Cluster.Testing.Simulation.Nodes;

/// <summary>What a node program shows to the invariants. A program that implements it is judged by more of
/// them.</summary>
public interface INodeReport
{
    /// <summary>The identity of the cluster whose table the program has applied; empty before the first
    /// table.</summary>
    Guid AppliedClusterId { get; }

    /// <summary>The version of the table that the program has applied; zero before the first one.</summary>
    long AppliedVersion { get; }

    /// <summary>Returns a digest over the committed content of a partition, or null if the node is not in sync.</summary>
    /// <param name="partition">The partition.</param>
    ulong? DigestOf(PartitionId partition);
}
