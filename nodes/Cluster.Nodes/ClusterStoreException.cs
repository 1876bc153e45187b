using Cluster.Contracts.Help;
using Cluster.Nodes.Stores;

namespace Cluster.Nodes;

/// <summary>The cluster store could not do what was asked. What already runs goes on without it.</summary>
/// <param name="kind">Tells what the caller can do about it.</param>
/// <param name="message">What was expected, what was found, and what to change.</param>
/// <param name="inner">The cause, where there is one.</param>
public sealed class ClusterStoreException(ClusterStoreError kind, string message, Exception? inner = null)
    : Exception(message, inner)
{
    /// <summary>Tells what the caller can do about it.</summary>
    public ClusterStoreError Kind { get; } = kind;

    /// <summary>The address of the heading of docs/error-catalogue.md that explains this error, unless another link was
    /// set.</summary>
    public override string? HelpLink => base.HelpLink ?? HelpPage.LinkTo(this, Kind);
}
