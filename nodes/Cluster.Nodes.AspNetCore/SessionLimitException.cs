using Cluster.Contracts.Help;

namespace Cluster.Nodes.AspNetCore;

/// <summary>A session would exceed one of its limits. Nothing was changed. Store less in the session, or raise the
/// option that the message names, on all nodes.</summary>
public sealed class SessionLimitException : Exception
{
    internal SessionLimitException(string option, long limit, long found, string what)
        : base(
            $"{what} has {found} bytes, but ClusterSessionOptions.{option} is {limit}. Store less in the session, or "
            + $"raise {option} in AddClusterSession on all nodes.") =>
        (Option, Limit, Found) = (option, limit, found);

    /// <summary>The name of the option of <see cref="ClusterSessionOptions"/> that sets the limit.</summary>
    public string Option { get; }

    /// <summary>The limit, in bytes.</summary>
    public long Limit { get; }

    /// <summary>What was found, in bytes.</summary>
    public long Found { get; }

    /// <summary>The address of the heading of docs/error-catalogue.md that explains this error, unless another link was
    /// set.</summary>
    public override string? HelpLink => base.HelpLink ?? HelpPage.LinkTo(this);
}
