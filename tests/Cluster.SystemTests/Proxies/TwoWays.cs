using Cluster.Testing;

namespace Cluster.SystemTests.Proxies;

/// <summary>Two ways from a proxy to one server. The server counts every run of a method, on either way. Owned by one
/// test.</summary>
internal sealed class TwoWays : IAsyncDisposable
{
    private readonly CountingRelay[] _relays;
    private int? _cut;

    public TwoWays(ProxiedServer server)
    {
        var address = FormattableString.Invariant($"http://127.0.0.1:{server.Port}");
        _relays = [new CountingRelay(address), new CountingRelay(address)];
    }

    public int[] Ports => [.. _relays.Select(one => new Uri(one.Address).Port)];

    public long[] BytesToServer => [.. _relays.Select(one => one.BytesToServer)];

    /// <summary>Ends the connections of the first way and accepts no more.</summary>
    public ValueTask CutFirstAsync() => CutAsync(0);

    /// <summary>Ends the connections of one way and accepts no more.</summary>
    public ValueTask CutAsync(int way)
    {
        _cut = way;
        return _relays[way].DisposeAsync();
    }

    public async ValueTask DisposeAsync()
    {
        for (var way = 0; way < _relays.Length; way++)
        {
            if (way != _cut)
                await _relays[way].DisposeAsync();
        }
    }
}
