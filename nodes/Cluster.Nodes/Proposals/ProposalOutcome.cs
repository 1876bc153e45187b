namespace Cluster.Nodes.Proposals;

/// <summary>How a proposal ended. An unknown outcome is waited out and never reported.</summary>
internal enum ProposalOutcome
{
    /// <summary>The change stands, or there was nothing to change.</summary>
    Stands,

    /// <summary>The coordinator lease that the change was bound to is lost; nothing was changed.</summary>
    LeaseLost,
}
