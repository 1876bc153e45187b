namespace Cluster.Pile.Caching.Flights;

/// <summary>Decides between a load and a change of the same key: the change always wins. The loader stores inside the
/// guard, and only when no change overtook it; a change overtakes before it begins. Its lock protects the
/// flag.</summary>
internal sealed class FlightGuard
{
    private readonly Lock _gate = new();
    private bool _isOvertaken;

    /// <summary>Whether a change came; reliable only for a thread that has entered.</summary>
    public bool IsOvertaken => Volatile.Read(ref _isOvertaken);

    /// <summary>Blocks changes until the scope is disposed: for a few memory operations, never for user code.</summary>
    public Lock.Scope Enter() => _gate.EnterScope();

    /// <summary>Prevents further stores; returns when no store runs any more.</summary>
    public void Overtake()
    {
        lock (_gate)
            Volatile.Write(ref _isOvertaken, true);
    }
}
