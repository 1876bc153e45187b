namespace Cluster.Nodes.Status;

/// <summary>The longest pause of the garbage collector since this object was made. Earlier pauses belong to the
/// program's start, not to the running node. The runtime reports only the latest collections, so the owner must call
/// Observe from time to time. A private lock protects the maximum.</summary>
internal sealed class GcPauses
{
    private readonly long _countBefore = GC.GetGCMemoryInfo(GCKind.Any).Index;
    private readonly Lock _lock = new();
    private TimeSpan _longest;

    /// <summary>Looks at the latest collections of each kind; returns the longest pause so far.</summary>
    public TimeSpan Observe()
    {
        var latest = TimeSpan.Zero;
        foreach (var kind in (ReadOnlySpan<GCKind>)[GCKind.Ephemeral, GCKind.FullBlocking, GCKind.Background])
        {
            var collection = GC.GetGCMemoryInfo(kind);
            if (collection.Index <= _countBefore)
                continue;
            foreach (var pause in collection.PauseDurations)
            {
                if (pause > latest)
                    latest = pause;
            }
        }

        lock (_lock)
        {
            if (latest > _longest)
                _longest = latest;
            return _longest;
        }
    }
}
