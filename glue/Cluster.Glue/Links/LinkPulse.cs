namespace Cluster.Glue.Links;

/// <summary>
/// Notices that a peer has fallen silent. Written by the read loop, checked by the clock; single writes only.
/// </summary>
internal sealed class LinkPulse(TimeProvider time, TimeSpan interval)
{
    private const int SilentIntervalsMax = 3;

    private long _lastReceived = time.GetTimestamp();
    private long _lastPing = time.GetTimestamp();

    public void NoteReceived() => Volatile.Write(ref _lastReceived, time.GetTimestamp());

    /// <summary>True when the peer should be asked for a sign of life now; at most once per interval.</summary>
    public bool ShouldPing(long now)
    {
        if (SilenceAt(now) < interval || time.GetElapsedTime(_lastPing, now) < interval)
            return false;
        _lastPing = now;
        return true;
    }

    /// <summary>Why the peer counts as gone; null while it does not.</summary>
    public string? ReasonToClose(long now)
        => SilenceAt(now) is var silence && silence > SilentIntervalsMax * interval
            ? $"nothing was heard for {silence.TotalSeconds:0.0} s (HeartbeatInterval is {interval.TotalSeconds:0.0} s)"
            : null;

    private TimeSpan SilenceAt(long now) => time.GetElapsedTime(Volatile.Read(ref _lastReceived), now);
}
