namespace Cluster.Pile.Barriers;

/// <summary>Calls <paramref name="exceeded"/> when a slot was reused so often since the last snapshot point that a
/// restore of that snapshot could soon no longer reject the slot's later pointers. Remembers only slots that are reused
/// very often. Guarded by its lock, which is held for a few instructions, also inside operations.</summary>
internal sealed class ReuseWatch(uint margin, Action exceeded)
{
    /// <summary>The slots report every counter that is a multiple of this number.</summary>
    public const uint Stride = 1 << 12;

    private readonly Lock _gate = new();
    private readonly Dictionary<long, uint> _firstSeen = [];
    private bool _isTold;

    /// <summary>Forgets all slots at a new snapshot point.</summary>
    public void Restart()
    {
        lock (_gate)
        {
            _firstSeen.Clear();
            _isTold = false;
        }
    }

    /// <summary>Records the next counter of a slot, which is a multiple of the stride.</summary>
    public void Note(long granule, uint counter)
    {
        lock (_gate)
        {
            // Before the first report, a slot had at most one stride of lives.
            if (_firstSeen.TryAdd(granule, counter) || _isTold || counter - _firstSeen[granule] + Stride < margin / 2)
                return;
            _isTold = true;
        }

        // The callback never runs in the calling thread, which is inside an operation.
        ThreadPool.UnsafeQueueUserWorkItem(static told => told(), exceeded, preferLocal: false);
    }
}
