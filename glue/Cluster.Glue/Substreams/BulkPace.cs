namespace Cluster.Glue.Substreams;

/// <summary>Slows the large envelopes of a link down while small ones are sent at the same time. At full speed the
/// large ones keep all processors of a small machine busy at both ends, and a small call then waits for a time slice at
/// each of its dozen threads. Threads that send small envelopes raise the flag; the pump of the bulk sender uses
/// everything else.</summary>
internal sealed class BulkPace(TimeProvider time)
{
    /// <summary>The number of rests after the last small envelope.</summary>
    public const int PausesMax = 4;

    /// <summary>Chunks between two rests: 64 KiB for each processor. Sending them takes less time than a small
    /// call.</summary>
    public static readonly int PiecesMax = Environment.ProcessorCount;

    /// <summary>The length of a rest. No timer is finer; on many systems it takes 4 ms.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);

    private volatile bool _hasSmall;
    private int _pausesLeft;
    private int _pieces;

    /// <summary>Notes that a small envelope is sent. Writes only if the flag is down, because all callers share its
    /// cache line.</summary>
    public void NoteSmall()
    {
        if (!_hasSmall)
            _hasSmall = true;
    }

    /// <summary>Rests if small envelopes were sent lately. The pump calls this after each piece.</summary>
    public Task WaitAsync()
    {
        if (_hasSmall)
        {
            _hasSmall = false;
            _pausesLeft = PausesMax;
        }

        if (_pausesLeft == 0 || ++_pieces < PiecesMax)
            return Task.CompletedTask;
        _pieces = 0;
        _pausesLeft--;
        return Task.Delay(Pause, time);
    }
}
