namespace Cluster.Pile.Tables.Log;

/// <summary>Numbers the log segments of a pile in the order of their creation. One atomic word; owned by one
/// pile.</summary>
internal sealed class LogSequence
{
    private ulong _last;

    public ulong Next() => Interlocked.Increment(ref _last);

    /// <summary>Makes later numbers larger than this one, which a restored segment has.</summary>
    public void Raise(ulong met)
    {
        for (var seen = Volatile.Read(ref _last); seen < met;)
        {
            var found = Interlocked.CompareExchange(ref _last, met, seen);
            if (found == seen)
                return;
            seen = found;
        }
    }
}
