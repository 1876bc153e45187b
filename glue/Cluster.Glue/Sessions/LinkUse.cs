namespace Cluster.Glue.Sessions;

/// <summary>Notices that a link carries no calls any more, for example because no selector names its address. Callers
/// raise a flag; only the clock reads it and uses the other fields.</summary>
internal sealed class LinkUse(TimeProvider time, TimeSpan idleMax)
{
    private long _usedAt = time.GetTimestamp();
    private volatile bool _isUsed;

    /// <summary>Notes that a call begins. Writes only if the flag is down, because all callers share its cache
    /// line.</summary>
    public void NoteCall()
    {
        if (!_isUsed)
            _isUsed = true;
    }

    /// <summary>Whether the link was idle for the whole idle time and should end. Called once per beat.</summary>
    public bool IsOver(long now, bool isBusy)
    {
        if (isBusy || _isUsed)
        {
            _isUsed = false;
            _usedAt = now;
        }

        return time.GetElapsedTime(_usedAt, now) >= idleMax;
    }
}
