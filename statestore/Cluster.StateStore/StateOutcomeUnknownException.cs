namespace Cluster.StateStore;

/// <summary>The owner was asked to write and its answer never came: the write may or may not have happened. The inner
/// exception says what became of the call. Read the value before you write again.</summary>
public sealed class StateOutcomeUnknownException : StateException
{
    internal StateOutcomeUnknownException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
