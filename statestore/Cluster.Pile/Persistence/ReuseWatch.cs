namespace Cluster.Pile.Persistence;

/// <summary>Tells when a slot has been reused so often since the last cut that a restore of that snapshot could no
/// longer rule its pointers out. Only slots that are used over and over are remembered. Guarded by its lock, which is
/// held for a few instructions, also inside operations.</summary>
internal sealed class ReuseWatch(uint margin, Action exceeded)
{
    /// <summary>Counters are looked at in steps of so many.</summary>
    public const uint Stride = 1 << 12;

    private readonly Lock _gate = new();
    private readonly Dictionary<long, uint> _firstSeen = [];
    private bool _isTold;

    /// <summary>Forgets what was before a cut.</summary>
    public void Restart()
    {
        lock (_gate)
        {
            _firstSeen.Clear();
            _isTold = false;
        }
    }

    /// <summary>Notes the next counter of a slot, a multiple of the stride.</summary>
    public void Note(long granule, uint counter)
    {
        lock (_gate)
        {
            // Lives before the first look are at most one stride.
            if (_firstSeen.TryAdd(granule, counter) || _isTold || counter - _firstSeen[granule] + Stride < margin / 2)
                return;
            _isTold = true;
        }

        // Never in the thread that is inside an operation.
        ThreadPool.UnsafeQueueUserWorkItem(static told => told(), exceeded, preferLocal: false);
    }
}
