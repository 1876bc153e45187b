namespace Cluster.Slim;

/// <summary>The type is not on the closed list of the root type; the message names the line of code that adds
/// it.</summary>
public sealed class SlimTypeNotAllowedException : SlimException
{
    internal SlimTypeNotAllowedException(string message)
        : base(message)
    {
    }

    /// <summary>The name of the type concerned.</summary>
    public string TypeName { get; internal init; } = "";
}
