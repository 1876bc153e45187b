using Cluster.Nodes.Stores;

namespace Cluster.Nodes.Tests.Stores;

/// <summary>A coordinator lease that a test takes away.</summary>
internal sealed class ScriptedLease : ICoordinatorLease
{
    private int _releases;

    public bool IsHeld { get; set; } = true;

    /// <summary>Whether the store answers.</summary>
    public bool IsAway { get; set; }

    public int ReleaseCount => Volatile.Read(ref _releases);

    public ValueTask<bool> IsHeldAsync(CancellationToken cancellationToken) => IsAway ? throw Away() : new(IsHeld);

    public ValueTask DisposeAsync()
    {
        Interlocked.Increment(ref _releases);
        return IsAway ? throw Away() : ValueTask.CompletedTask;
    }

    private static ClusterStoreException Away() => new(ClusterStoreError.Unreachable, "no answer");
}
