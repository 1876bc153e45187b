namespace Cluster.Slim;

/// <summary>Values of the type cannot be carried at all, or not in the place where one was found.</summary>
public sealed class SlimTypeNotSupportedException : SlimException
{
    internal SlimTypeNotSupportedException(string message)
        : base(message)
    {
    }

    /// <summary>The name of the type concerned.</summary>
    public string TypeName { get; internal init; } = "";
}
