namespace Cluster.StateStore;

/// <summary>The owner's pile has no room for the value. Nothing was changed and nothing was lost.</summary>
public sealed class StateFullException : StateException
{
    internal StateFullException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
