using Cluster.Contracts.Help;

namespace Cluster.Pile;

/// <summary>The root of the operating errors of a pile, and of libraries that keep memory in it. Immutable.</summary>
/// <param name="message">What was expected, what was found, and what can be done.</param>
/// <param name="inner">The cause; null when there is none.</param>
public abstract class PileException(string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>The address of the heading of docs/error-catalogue.md that explains this error, unless another link was
    /// set.</summary>
    public override string? HelpLink => base.HelpLink ?? HelpPage.LinkTo(this, Code);

    /// <summary>The code whose heading explains this error; null where the type has one heading.</summary>
    private protected virtual Enum? Code => null;
}
