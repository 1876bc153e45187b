using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Consul.Client;

/// <summary>Warns, once per occasion, when Consul has been without a leader for a while: nothing stops, but no node can
/// join and no partition can be taken over meanwhile. A private lock protects it.</summary>
internal sealed partial class LeaderWatch(TimeProvider time, ILogger<LeaderWatch> logger)
{
    private readonly Lock _lock = new();
    private long? _lostAt;
    private bool _isWarned;

    public void SeenLeader()
    {
        lock (_lock)
        {
            _lostAt = null;
            _isWarned = false;
        }
    }

    public void MissedLeader()
    {
        TimeSpan missing;
        lock (_lock)
        {
            _lostAt ??= time.GetTimestamp();
            missing = time.GetElapsedTime(_lostAt.Value);
            if (_isWarned || missing < ConsulLimits.LeaderlessTolerance)
                return;
            _isWarned = true;
        }

        LogLeaderless(missing.TotalSeconds);
    }
}
