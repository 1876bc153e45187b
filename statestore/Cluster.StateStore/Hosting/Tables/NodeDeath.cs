namespace Cluster.StateStore.Hosting.Tables;

/// <summary>How one life of a node ended, and what was lost with it. It stands in the table, so that every process
/// tells the same. Immutable.</summary>
/// <param name="Node">The life that is over.</param>
/// <param name="Proof">What proved it, in words.</param>
public sealed record NodeDeath(NodeId Node, string Proof)
{
    /// <summary>The longest proof, in characters; what is longer is cut.</summary>
    public const int MaxProofLength = 160;

    /// <summary>What proved it, in words.</summary>
    public string Proof { get; init; } = Proof.Length <= MaxProofLength ? Proof : Proof[..MaxProofLength];

    /// <summary>How many partitions have lost their contents with it.</summary>
    public int PartitionsLost { get; init; }

    /// <summary>How many entries were in these partitions when they were counted last; null when one of them was never
    /// counted.</summary>
    public long? EntriesLost { get; init; }

    /// <summary>Adds partitions whose contents were lost.</summary>
    /// <param name="partitions">How many.</param>
    /// <param name="entries">How many entries they held, or null when that is not known.</param>
    public NodeDeath WithLoss(int partitions, long? entries) => this with
    {
        PartitionsLost = checked(PartitionsLost + partitions),
        EntriesLost = PartitionsLost == 0 ? entries : EntriesLost + entries,
    };
}
