namespace Cluster.Pile.Caching.Flights;

/// <summary>The place of a load among all loads of the process, so that a load that would wait for itself is refused: a
/// factory that asks for its own key, directly, through other keys and tables, or through loads of other callers. The
/// lock protects the waits; code runs at a place by the flow of its call, also after an await.</summary>
internal sealed class FlightPlace
{
    private static readonly AsyncLocal<FlightPlace?> Flow = new();
    private static readonly Lock Gate = new();

    private readonly List<FlightPlace> _awaited = [];
    private bool _isOver;

    /// <summary>The load whose factory the caller runs in; null outside of factories.</summary>
    public static FlightPlace? Current
    {
        get
        {
            // Code that a factory has left running belongs to no load after the load has ended.
            var place = Flow.Value;
            return place is null || Volatile.Read(ref place._isOver) ? null : place;
        }
    }

    /// <summary>Makes the rest of this flow part of the factory of a load; null ends that.</summary>
    public static void SetCurrent(FlightPlace? place) => Flow.Value = place;

    /// <summary>Notes that this load waits for another one. False: the other one waits for this.</summary>
    public bool TryAwait(FlightPlace other)
    {
        lock (Gate)
        {
            if (other.ReachesNeedsLock(this))
                return false;
            _awaited.Add(other);
            return true;
        }
    }

    /// <summary>Removes the note.</summary>
    public void EndAwait(FlightPlace other)
    {
        lock (Gate)
            _awaited.Remove(other);
    }

    /// <summary>Notes that the load has ended; code that still runs at this place waits on its own.</summary>
    public void End() => Volatile.Write(ref _isOver, true);

    private bool ReachesNeedsLock(FlightPlace target)
    {
        var open = new Stack<FlightPlace>([this]);
        var seen = new HashSet<FlightPlace>();
        while (open.TryPop(out var place))
        {
            if (place == target)
                return true;
            if (!seen.Add(place))
                continue;
            foreach (var next in place._awaited)
                open.Push(next);
        }

        return false;
    }
}
