namespace Cluster.StateStore.Messages;

/// <summary>What an operation has thrown at the owner: the exception itself where its types are on the state's closed
/// list, and in any case its text. Filled once by the owner, then only read.</summary>
public sealed class StateFailure
{
    /// <summary>The serialized exception, or null where it cannot be carried.</summary>
    public byte[]? Graph { get; init; }

    /// <summary>The exception and its inner exceptions, the outermost one first.</summary>
    public StateFault[] Faults { get; init; } = [];
}
