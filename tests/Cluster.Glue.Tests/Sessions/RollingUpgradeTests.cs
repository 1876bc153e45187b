using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Servers are replaced one after the other while they are called: three hosts in one process, over real
/// connections.</summary>
[Trait("Case", "glue-96")]
public sealed class RollingUpgradeTests(ITestOutputHelper output)
{
    private const int Callers = 8;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task ThreeServers_ReplacedUnderLoad_FailNoCall()
    {
        string[] addresses = [.. Enumerable.Range(0, 3).Select(_ => $"http://127.0.0.1:{FreePorts.Next()}")];
        var hosts = new List<GlueHost>();
        foreach (var address in addresses)
            hosts.Add(await StartAsync(address));
        await using var client = new GlueClient(
            new GlueClientOptions { DefaultDeadline = Bound, ConnectTimeout = Bound });
        var shapes = client.CreateProxy<IShapes>(new RoundRobin(addresses));
        var answered = 0;
        using var stop = new CancellationTokenSource();
        Task[] callers = [.. Enumerable.Range(0, Callers).Select(_ => Task.Run(async () =>
        {
            for (var i = 0; !stop.IsCancellationRequested; i++)
            {
                Assert.Equal(2 * i, await shapes.TwiceAsync(i));
                Interlocked.Increment(ref answered);
            }
        }))];
        for (var node = 0; node < hosts.Count; node++)
        {
            await MoreAsync();
            await hosts[node].DisposeAsync();
            await MoreAsync();
            hosts[node] = await StartAsync(addresses[node]);
            // The new one is called as well, by its own address.
            Assert.Equal(4, await CallOnceThereAsync(client, addresses[node]));
        }

        await MoreAsync();
        await stop.CancelAsync();
        await Task.WhenAll(callers).WaitAsync(Bound);
        output.WriteLine($"{answered} calls");
        foreach (var host in hosts)
            await host.DisposeAsync();

        Task MoreAsync()
        {
            var before = Volatile.Read(ref answered);
            return Eventually.TrueAsync(
                () => Volatile.Read(ref answered) > before + 200 || Array.Exists(callers, caller => caller.IsFaulted), Bound);
        }
    }

    private static Task<GlueHost> StartAsync(string address) =>
        GlueHost.StartAsync(options =>
        {
            options.ListenAddress = address;
            options.DrainTimeout = Bound;
        });

    // An address that could not be reached is left alone for a moment.
    private static async Task<int> CallOnceThereAsync(GlueClient client, string address)
    {
        var result = 0;
        await Eventually.TrueAsync(
            async () =>
            {
                try
                {
                    result = await client.CreateProxy<IShapes>(address).TwiceAsync(2);
                    return true;
                }
                catch (Cluster.Contracts.GlueException)
                {
                    return false;
                }
            },
            Bound);
        return result;
    }

    /// <summary>One address after the other, those left out that a call was not delivered to.</summary>
    private sealed class RoundRobin(string[] addresses) : IGlueEndpointSelector
    {
        private int _next;

        public string? SelectEndpoint(Type contract, IReadOnlyCollection<string> excluded)
        {
            var start = (uint)Interlocked.Increment(ref _next);
            return Enumerable.Range(0, addresses.Length)
                .Select(i => addresses[(start + i) % addresses.Length])
                .FirstOrDefault(address => !excluded.Contains(address));
        }
    }
}
