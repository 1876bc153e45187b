namespace Cluster.Pile.Caching.Flights;

/// <summary>Where values are looked for before they are loaded and kept afterwards: a table, and in tests a dictionary.
/// Safe for many threads.</summary>
internal interface IFlightStore<TValue>
{
    /// <summary>A value of the caller's own, or false when there is none under the key.</summary>
    bool TryFind(ReadOnlySpan<byte> key, [MaybeNullWhen(false)] out TValue value);

    /// <summary>Keeps a loaded value unless there is one under the key by now, or the guard was overtaken. Enters the
    /// guard for the change itself and for nothing else. Gives whether the value was kept.</summary>
    bool Store(ReadOnlySpan<byte> key, TValue value, EntryTerms terms, FlightGuard guard);
}
