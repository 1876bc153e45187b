using Cluster.Pile.Slots;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Caching;

/// <summary>The counters of one table, in stripes; two threads in one stripe may lose a count. Owned by one
/// table.</summary>
internal sealed class CacheCounters
{
    private readonly ReadCounter _hits = new();
    private readonly ReadCounter _misses = new();
    private readonly ReadCounter _inserts = new();
    private readonly ReadCounter _replacements = new();
    private readonly ReadCounter _refusals = new();
    private readonly ReadCounter _removals = new();

    public long Hits => _hits.Sum();

    public long Misses => _misses.Sum();

    public long Inserts => _inserts.Sum();

    public long Replacements => _replacements.Sum();

    public long Refusals => _refusals.Sum();

    public long Removals => _removals.Sum();

    /// <summary>Counts a read and returns its argument.</summary>
    public bool CountRead(bool isHit)
    {
        (isHit ? _hits : _misses).Add();
        return isHit;
    }

    /// <summary>Counts a read that found its key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountHit() => _hits.Add();

    public bool CountRemoval(bool isDone)
    {
        if (isDone)
            _removals.Add();
        return isDone;
    }

    /// <summary>Counts a put and converts its status into the user's result.</summary>
    public PutResult CountPut(RecordStatus status)
    {
        switch (status)
        {
            case RecordStatus.Inserted:
                _inserts.Add();
                return PutResult.Inserted;
            case RecordStatus.Displaced:
                _inserts.Add();
                return PutResult.Overwrote;
            case RecordStatus.Replaced:
                _replacements.Add();
                return PutResult.Replaced;
            case RecordStatus.Full or RecordStatus.TooLarge:
                _refusals.Add();
                return PutResult.Refused;
            default:
                // The key of a loaded value has an entry by now.
                return PutResult.Refused;
        }
    }
}
