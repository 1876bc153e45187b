using Cluster.Benchmarks.Harness;
using Cluster.Glue;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Benchmarks.Glue;

/// <summary>What links cost that nobody uses, both ends in this process. Stateless.</summary>
internal static class IdleLinkRows
{
    private static readonly TimeSpan Heartbeat = TimeSpan.FromMilliseconds(500);

    public static void Run(BenchmarkRun run)
    {
        if (run.Wants("link.memory"))
            run.Report("link.memory", MeasureAsync((int)run.Size("link.memory")).GetAwaiter().GetResult());
    }

    private static async Task<double> MeasureAsync(int count)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddLogging(logging => logging.ClearProviders());
        builder.Services.AddGlueServer(options =>
            {
                options.ListenAddress = "http://0.0.0.0:0";
                options.AllowInsecure = true;
                options.HeartbeatInterval = Heartbeat;
            })
            .AddService<IPeerService, PeerService>(GlueInstanceMode.Singleton);
        using var host = builder.Build();
        await host.StartAsync();
        var port = new Uri(host.Services.GetRequiredService<GlueListener>().Address!).Port;
        await using var client = new GlueClient(new GlueClientOptions { HeartbeatInterval = Heartbeat });
        // What is made once for all links is there before.
        await OpenAsync(client, 0, port);
        var before = GC.GetTotalMemory(forceFullCollection: true);
        for (var at = 1; at <= count; at++)
            await OpenAsync(client, at, port);
        // Links notice with their heartbeats that nobody uses them.
        await Task.Delay(4 * Heartbeat);
        double bytes = GC.GetTotalMemory(forceFullCollection: true) - before;
        await client.DisposeAsync();
        await host.StopAsync();
        return bytes / count / 1024;
    }

    // All addresses of 127.0.0.0/8 are this machine, and a client has one link to each.
    private static async Task OpenAsync(GlueClient client, int number, int port) =>
        await client.CreateProxy<IPeerService>($"http://127.1.{number / 250}.{1 + (number % 250)}:{port}")
            .AddAsync(1, 2);
}
