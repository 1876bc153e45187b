namespace Cluster.Glue;

/// <summary>The listener could not bind its address at start-up. The message names the address, the reason and the
/// remedy.</summary>
public sealed class GlueListenException : Exception
{
    internal GlueListenException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }
}
