namespace Cluster.Glue.Links;

/// <summary>
/// Cancellations of calls that are not here yet, or not any more: both look the same. Kept for one to two heartbeats
/// and up to a limit, which is far more than one lane is ahead of another. Protected by one lock; without any, a call
/// costs one read.
/// </summary>
internal sealed class EarlyCancels(LinkSettings settings)
{
    private readonly Lock _gate = new();
    private HashSet<ulong> _young = [];
    private HashSet<ulong> _old = [];
    private long _agedAt = settings.Time.GetTimestamp();
    private int _count;

    public void Add(ulong callId)
    {
        lock (_gate)
        {
            if (_young.Count >= settings.ServedCallsMax)
                AgeNeedsLock();
            _young.Add(callId);
            _count = _young.Count + _old.Count;
        }
    }

    /// <summary>True when this call was cancelled before it came.</summary>
    public bool TryTake(ulong callId)
    {
        // Both sides write before they look at what the other one wrote.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _count) == 0)
            return false;
        lock (_gate)
        {
            bool isFound = _young.Remove(callId) || _old.Remove(callId);
            _count = _young.Count + _old.Count;
            return isFound;
        }
    }

    /// <summary>Forgets what was here a heartbeat ago. Called by the link's clock.</summary>
    public void Age(long now)
    {
        if (settings.Time.GetElapsedTime(_agedAt, now) < settings.HeartbeatInterval)
            return;
        lock (_gate)
        {
            _agedAt = now;
            AgeNeedsLock();
        }
    }

    private void AgeNeedsLock()
    {
        (_old, _young) = (_young, _old);
        _young.Clear();
        _count = _old.Count;
    }
}
