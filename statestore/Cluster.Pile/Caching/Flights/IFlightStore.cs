namespace Cluster.Pile.Caching.Flights;

/// <summary>The store in which values are looked for before they are loaded, and kept afterwards: a table, and in tests
/// a dictionary. Safe for many threads.</summary>
internal interface IFlightStore<TValue>
{
    /// <summary>Finds a copy of the value for the caller. False: there is none under the key.</summary>
    bool TryFind(ReadOnlySpan<byte> key, [MaybeNullWhen(false)] out TValue value);

    /// <summary>Keeps a loaded value unless the key has one by now, or the guard was overtaken. Enters the guard only
    /// for the change itself. Returns whether the value was kept.</summary>
    bool Store(ReadOnlySpan<byte> key, TValue value, EntryOptions terms, FlightGuard guard);
}
