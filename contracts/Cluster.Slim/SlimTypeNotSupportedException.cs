namespace Cluster.Slim;

/// <summary>Values of the type cannot be carried at all, or not in the place where one was found, or their own code
/// failed while they were written.</summary>
public sealed class SlimTypeNotSupportedException : SlimException
{
    internal SlimTypeNotSupportedException(string message)
        : base(message)
    {
    }

    internal SlimTypeNotSupportedException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>The name of the type concerned.</summary>
    public string TypeName { get; internal init; } = "";
}
