using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Frames;

/// <summary>Tells the coordinator that it is proven that a life has ended. Immutable.</summary>
/// <param name="Node">The life that is over.</param>
/// <param name="Proof">What proves it, in words.</param>
internal sealed record DeathReport(NodeId Node, string Proof)
{
    /// <summary>What proves it; as much of it as a table keeps.</summary>
    public string Proof { get; init; } =
        Proof.Length <= NodeDeath.MaxProofLength ? Proof : Proof[..NodeDeath.MaxProofLength];
}
