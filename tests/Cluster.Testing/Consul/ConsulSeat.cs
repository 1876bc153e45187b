namespace Cluster.Testing.Consul;

/// <summary>The place of a Consul server among the servers that elect one leader. Immutable.</summary>
/// <param name="Name">The name of the server.</param>
/// <param name="Servers">The number of servers.</param>
/// <param name="Others">The ports at which the server finds the other ones.</param>
internal sealed record ConsulSeat(string Name, int Servers, IReadOnlyList<int> Others)
{
    /// <summary>The place of a server that is alone.</summary>
    public static ConsulSeat Alone { get; } = new("consul-under-test", 1, []);

    /// <summary>What the server is started with.</summary>
    public string[] Arguments =>
    [
        string.Create(CultureInfo.InvariantCulture, $"-bootstrap-expect={Servers}"),
        $"-node={Name}",
        .. Others.Select(port => string.Create(CultureInfo.InvariantCulture, $"-retry-join=127.0.0.1:{port}")),
        .. Others.Count == 0 ? Array.Empty<string>() : ["-retry-interval=1s"],
    ];
}
