using Cluster.Contracts.Help;

namespace Cluster.StateStore;

/// <summary>The base of all failures of a state operation. Its type says what the caller can do. What an operation
/// object itself throws reaches the caller as it is.</summary>
public abstract class StateException : Exception
{
    private protected StateException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }

    /// <summary>The address of the heading of docs/error-catalogue.md that explains this error, unless another link was
    /// set.</summary>
    public override string? HelpLink => base.HelpLink ?? HelpPage.LinkTo(this);
}
