namespace Cluster.Glue.Substreams;

/// <summary>Notices that a peer has fallen silent. Written by the read loop, checked by the clock; single writes only.
/// Silence counts only while this process listens: after a pause of its own, what the peer sent meanwhile still waits
/// to be read.</summary>
internal sealed class LinkPulse(TimeProvider time, TimeSpan interval)
{
    /// <summary>The clock beats at least so often per interval.</summary>
    public const int BeatsPerInterval = 4;

    // Found out by the next beat, so within twice the interval.
    private const double SilentIntervalsMax = 2 - (1.0 / BeatsPerInterval);

    // A beat that comes this late means that the process stood still.
    private const int LateIntervals = 1;

    private long _lastReceived = time.GetTimestamp();
    private long _lastPing = time.GetTimestamp();
    private long _lastBeat = time.GetTimestamp();
    private long _listeningSince = time.GetTimestamp();

    /// <summary>When the peer was heard last, as a timestamp.</summary>
    public long LastReceived => Volatile.Read(ref _lastReceived);

    public void NoteReceived() => Volatile.Write(ref _lastReceived, time.GetTimestamp());

    /// <summary>True when the peer should be asked for a sign of life now; at most once per interval.</summary>
    public bool ShouldPing(long now)
    {
        if (SilenceAt(now) < interval || time.GetElapsedTime(_lastPing, now) < interval)
            return false;
        _lastPing = now;
        return true;
    }

    /// <summary>Why the peer counts as gone; null while it does not. Asked once per beat.</summary>
    public string? ReasonToClose(long now)
    {
        if (time.GetElapsedTime(_lastBeat, now) >= LateIntervals * interval)
            _listeningSince = now;
        _lastBeat = now;
        var silence = SilenceAt(now);
        return silence > SilentIntervalsMax * interval
            ? $"nothing was heard for {silence.TotalSeconds:0.0} s (HeartbeatInterval is {interval.TotalSeconds:0.0} s)"
            : null;
    }

    private TimeSpan SilenceAt(long now) =>
        time.GetElapsedTime(Math.Max(Volatile.Read(ref _lastReceived), _listeningSince), now);
}
