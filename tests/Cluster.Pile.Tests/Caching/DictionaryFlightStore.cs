using Cluster.Pile.Caching;
using Cluster.Pile.Caching.Flights;

namespace Cluster.Pile.Tests.Caching;

/// <summary>Values of loads in a dictionary, changed as a table does it. Safe for many threads.</summary>
internal sealed class DictionaryFlightStore : IFlightStore<string>
{
    private readonly ConcurrentDictionary<string, string> _values = new();

    public DictionaryFlightStore() => Flights = new SingleFlight<string>(this);

    public SingleFlight<string> Flights { get; }

    public int Count => _values.Count;

    /// <summary>Refuses what was loaded, as a table does that is full.</summary>
    public bool IsFull { get; set; }

    public bool TryFind(ReadOnlySpan<byte> key, [MaybeNullWhen(false)] out string value) =>
        _values.TryGetValue(Convert.ToHexString(key), out value);

    public bool Store(ReadOnlySpan<byte> key, string value, EntryOptions terms, FlightGuard guard)
    {
        var name = Convert.ToHexString(key);
        using (guard.Enter())
            return !guard.IsOvertaken && !IsFull && _values.TryAdd(name, value);
    }

    public string Get(int key, Func<int, string> factory) =>
        TryFind(Bytes(key), out var found) ? found : Flights.Run(Bytes(key), key, factory, default);

    public async Task<string> GetAsync(
        int key,
        Func<int, CancellationToken, ValueTask<string>> factory,
        CancellationToken cancellationToken = default) =>
        TryFind(Bytes(key), out var found)
            ? found
            : await Flights.RunAsync(Bytes(key), key, factory, default, cancellationToken);

    public void Put(int key, string value)
    {
        Flights.Overtake(Bytes(key));
        _values[Convert.ToHexString(Bytes(key))] = value;
    }

    public bool Remove(int key)
    {
        Flights.Overtake(Bytes(key));
        return _values.TryRemove(Convert.ToHexString(Bytes(key)), out _);
    }

    private static byte[] Bytes(int key) => BitConverter.GetBytes(key);
}
