namespace Cluster.Glue.Substreams;

/// <summary>Slows the large envelopes of a link down while small ones travel beside them: at full speed they keep all
/// processors of a small machine busy at both ends, and a small call then waits for a time slice at each of its dozen
/// threads. The flag is raised by threads that send small envelopes; the rest belongs to the pump.</summary>
internal sealed class BulkPace(TimeProvider time)
{
    /// <summary>Rests after the last small envelope.</summary>
    public const int PausesMax = 4;

    /// <summary>Pieces between two rests: 64 KiB for each processor, less than a small call takes.</summary>
    public static readonly int PiecesMax = Environment.ProcessorCount;

    /// <summary>How long the pump rests. No timer is finer; many systems make 4 ms of it.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);

    private volatile bool _hasSmall;
    private int _pausesLeft;
    private int _pieces;

    /// <summary>Something small is sent. Writes only where nobody did since the last piece: callers share
    /// this.</summary>
    public void NoteSmall()
    {
        if (!_hasSmall)
            _hasSmall = true;
    }

    /// <summary>After each piece.</summary>
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
