namespace Cluster.StateStore;

/// <summary>Bytes are not what this version of the library writes: damaged, truncated, or of another format
/// version.</summary>
public sealed class StateFormatException : StateException
{
    internal StateFormatException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
