namespace Cluster.Glue.Substreams;

/// <summary>Notices that a peer has become silent. The read loop writes, the clock reads; only single writes. Silence
/// counts only while this process runs: after a pause of this process, messages of the peer may still wait to be
/// read.</summary>
internal sealed class LinkPulse(TimeProvider time, TimeSpan interval)
{
    /// <summary>The clock beats at least this many times per interval.</summary>
    public const int BeatsPerInterval = 4;

    // The next beat notices the silence, so the peer counts as gone within twice the interval.
    private const double SilentIntervalsMax = 2 - (1.0 / BeatsPerInterval);

    // A beat that is this many intervals late means that this process stood still.
    private const int LateIntervals = 1;

    private long _lastReceived = time.GetTimestamp();
    private long _lastPing = time.GetTimestamp();
    private long _lastBeat = time.GetTimestamp();
    private long _listeningSince = time.GetTimestamp();

    /// <summary>When the last message of the peer arrived, as a timestamp.</summary>
    public long LastReceived => Volatile.Read(ref _lastReceived);

    public void NoteReceived() => Volatile.Write(ref _lastReceived, time.GetTimestamp());

    /// <summary>Whether to send a Ping now; true at most once per interval.</summary>
    public bool ShouldPing(long now)
    {
        if (SilenceAt(now) < interval || time.GetElapsedTime(_lastPing, now) < interval)
            return false;
        _lastPing = now;
        return true;
    }

    /// <summary>Why the peer counts as gone; null: it does not. Called once per beat.</summary>
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
