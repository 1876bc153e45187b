namespace Cluster.StateStore;

/// <summary>
/// What was asked for can never work as it is: a state or an operation that is not registered, a type that is not on
/// the state's closed list, a key or a value that is too large. The message names the remedy. Nothing
/// was changed; trying again does not help.
/// </summary>
public sealed class StateRefusedException : StateException
{
    internal StateRefusedException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
