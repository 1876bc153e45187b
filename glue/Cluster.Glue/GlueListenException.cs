using Cluster.Contracts.Help;

namespace Cluster.Glue;

/// <summary>The listener could not bind its address at start-up. The message names the address, the reason and the
/// remedy.</summary>
public sealed class GlueListenException : Exception
{
    internal GlueListenException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>The address of the heading of docs/error-catalogue.md that explains this error, unless another link was
    /// set.</summary>
    public override string? HelpLink => base.HelpLink ?? HelpPage.LinkTo(this);
}
