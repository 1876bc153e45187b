namespace Cluster.StateStore;

/// <summary>Other writes of the same key took too long, or too many wait already. Nothing was changed; try again
/// later.</summary>
public sealed class StateBusyException : StateException
{
    internal StateBusyException(string message)
        : base(message)
    {
    }
}
