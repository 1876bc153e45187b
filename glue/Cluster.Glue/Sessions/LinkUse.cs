namespace Cluster.Glue.Sessions;

/// <summary>Notices that nobody calls over a link any more, as when no selector names its address. Calls raise a flag;
/// the clock alone reads it and uses the rest.</summary>
internal sealed class LinkUse(TimeProvider time, TimeSpan idleMax)
{
    private long _usedAt = time.GetTimestamp();
    private volatile bool _isUsed;

    /// <summary>A call begins. Writes only where nobody did since the last beat: callers share this.</summary>
    public void NoteCall()
    {
        if (!_isUsed)
            _isUsed = true;
    }

    /// <summary>Whether the link has been idle for so long that it should be given up. Asked once per beat.</summary>
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
