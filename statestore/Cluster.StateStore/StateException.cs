namespace Cluster.StateStore;

/// <summary>
/// The root of what goes wrong inside the state store. Which leaf it is tells what the caller can do.
/// </summary>
public abstract class StateException : Exception
{
    private protected StateException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
