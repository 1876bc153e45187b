namespace Cluster.Nodes.Clocks;

/// <summary>The clock of this node's leases: <see cref="SuspendAwareTimeProvider"/>, unless the host has a clock of its
/// own, as tests have. Owned by the host's services.</summary>
internal sealed class NodeClock : IDisposable
{
    private readonly SuspendAwareTimeProvider? _own;

    /// <summary>Chooses the clock.</summary>
    /// <param name="registered">The clock of the host.</param>
    public NodeClock(TimeProvider registered)
    {
        _own = registered == TimeProvider.System ? new SuspendAwareTimeProvider() : null;
        Time = _own ?? registered;
    }

    public TimeProvider Time { get; }

    public void Dispose() => _own?.Dispose();
}
