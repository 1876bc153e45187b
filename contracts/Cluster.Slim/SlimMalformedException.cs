namespace Cluster.Slim;

/// <summary>The bytes are not a well-formed message of this format, or user code failed while they were read.</summary>
public sealed class SlimMalformedException : SlimException
{
    internal SlimMalformedException(string message)
        : base(message)
    {
    }

    internal SlimMalformedException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
