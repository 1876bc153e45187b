namespace Cluster.Slim;

/// <summary>Writer and reader know the type, but with different fields.</summary>
public sealed class SlimLayoutException : SlimException
{
    internal SlimLayoutException(string message)
        : base(message)
    {
    }

    /// <summary>The name of the type concerned.</summary>
    public string TypeName { get; internal init; } = "";
}
