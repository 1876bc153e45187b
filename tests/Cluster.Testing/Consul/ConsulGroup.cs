namespace Cluster.Testing.Consul;

/// <summary>One or several real Consul servers that elect a leader. Owned by one test.</summary>
public sealed class ConsulGroup : IAsyncDisposable
{
    private static readonly TimeSpan ElectedWithin = TimeSpan.FromSeconds(30);

    private ConsulGroup(ConsulServer[] servers) => Servers = servers;

    /// <summary>The servers, also those that are stopped.</summary>
    public IReadOnlyList<ConsulServer> Servers { get; }

    /// <summary>The addresses of the servers.</summary>
    public string[] Addresses => AddressesFrom(0);

    /// <summary>Starts servers, and waits until they have a leader.</summary>
    /// <param name="count">The number of servers.</param>
    public static async Task<ConsulGroup> StartAsync(int count)
    {
        var ports = Enumerable.Range(0, count).Select(_ => FreePorts.Take(3)).ToArray();
        var group = new ConsulGroup(
        [
            .. ports.Select((own, index) => ConsulServer.Create(own, count == 1
                ? ConsulSeat.Alone
                : new ConsulSeat($"consul-{index}", count, [.. ports.Where(other => other != own).Select(other => other[2])]))),
        ]);
        try
        {
            await Task.WhenAll(group.Servers.Select(server => server.StartAgainAsync()));
            return group;
        }
        catch
        {
            await group.DisposeAsync();
            throw;
        }
    }

    /// <summary>The addresses of the servers in another order.</summary>
    /// <param name="first">The index of the first one; more than there are begins again.</param>
    public string[] AddressesFrom(int first) =>
        [.. Enumerable.Range(0, Servers.Count).Select(index => Servers[(first + index) % Servers.Count].Address)];

    /// <summary>Finds the server that is the leader. Waits for an election that is under way.</summary>
    public async Task<ConsulServer> FindLeaderAsync()
    {
        ConsulServer? leader = null;
        await Eventually.TrueAsync(
            async () => (leader = await TryFindLeaderAsync()) is not null, ElectedWithin, "a Consul server is the leader");
        return leader!;
    }

    /// <summary>Stops all servers at once, as a crash would. Their data stay.</summary>
    public Task StopAsync() => Task.WhenAll(Servers.Select(server => server.StopAsync()));

    /// <summary>Starts the servers that are stopped.</summary>
    public Task StartAgainAsync() =>
        Task.WhenAll(Servers.Where(server => !server.IsRunning).Select(server => server.StartAgainAsync()));

    /// <summary>Stops the servers and removes their data. Idempotent.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach (var server in Servers)
            await server.DisposeAsync();
    }

    // Right after the leader was stopped, a server names nobody, or the one that is gone.
    private async Task<ConsulServer?> TryFindLeaderAsync()
    {
        var named = (await Servers.First(server => server.IsRunning).GetAsync("/v1/status/leader")).GetString();
        return Servers.SingleOrDefault(server => server.IsRunning && server.ServerAddress == named);
    }
}
