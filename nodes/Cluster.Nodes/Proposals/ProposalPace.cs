namespace Cluster.Nodes.Proposals;

/// <summary>Whether a proposal may wait for its turn.</summary>
internal enum ProposalPace
{
    /// <summary>At most five changes per second and node, so that a burst of small changes does not become a
    /// storm.</summary>
    Calm,

    /// <summary>At once: partitions are unavailable until it stands.</summary>
    Urgent,
}
