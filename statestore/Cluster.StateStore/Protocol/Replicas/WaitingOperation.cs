namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>An operation that is answered when its entry is committed. Immutable.</summary>
/// <param name="Operation">What the shell knows it by; null: nobody waits.</param>
/// <param name="Answer">The answer.</param>
/// <param name="Since">When it began to wait.</param>
internal readonly record struct WaitingOperation(object? Operation, WriteAnswer Answer, long Since)
{
    /// <summary>With fewer members in sync at the end, the outcome counts as unknown.</summary>
    public int MinInSync { get; init; }
}
