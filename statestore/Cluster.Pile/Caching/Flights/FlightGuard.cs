namespace Cluster.Pile.Caching.Flights;

/// <summary>Settles who wins when a key is changed while its value is being loaded: the change, always. The loader
/// stores inside the guard and only when nothing overtook it; a change overtakes before it begins. Its lock protects
/// the flag.</summary>
internal sealed class FlightGuard
{
    private readonly Lock _gate = new();
    private bool _isOvertaken;

    /// <summary>Whether a change came meanwhile; certain only for the one who has entered.</summary>
    public bool IsOvertaken => Volatile.Read(ref _isOvertaken);

    /// <summary>Keeps changes waiting until the scope is disposed: for a few memory operations, never for user
    /// code.</summary>
    public Lock.Scope Enter() => _gate.EnterScope();

    /// <summary>From now on nothing is stored; returns when nobody stores any more.</summary>
    public void Overtake()
    {
        lock (_gate)
            Volatile.Write(ref _isOvertaken, true);
    }
}
