using System.Runtime.InteropServices;
using Cluster.Glue;
using Cluster.Nodes;
using Shop.Catalog;
using Shop.Orders;
using Shop.Supervision;

namespace Shop.Node;

/// <summary>
/// The whole life of one node process: it loads the catalog, joins the cluster, serves, and ends when its parent is
/// gone. Warnings go to standard error, which the parent keeps.
/// </summary>
internal static class NodeProgram
{
    private static readonly TimeSpan DrainMax = TimeSpan.FromMilliseconds(500);

    public static async Task<int> RunAsync(NodeSettings settings, ShopConsole console)
    {
        using var stopped = new CancellationTokenSource();
        var parent = ParentWatch.Start(ShopConsole.OpenInput(), stopped.Cancel);

        // An interrupt typed in the terminal reaches every process of the group; only the front decides what it means.
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, signal => signal.Cancel = true);
        using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal =>
        {
            signal.Cancel = true;
            stopped.Cancel();
        });

        using var host = Build(settings);
        try
        {
            await host.StartAsync(stopped.Token).ConfigureAwait(false);
            await console.Out.WriteLineAsync($"{settings.Name} has joined").ConfigureAwait(false);
            await WaitAsync(host, stopped.Token).ConfigureAwait(false);
            await host.StopAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (ClusterStartException failure)
        {
            await console.Error.WriteLineAsync(failure.Message).ConfigureAwait(false);
            return (int)failure.ExitCode;
        }
        catch (OperationCanceledException) when (stopped.IsCancellationRequested)
        {
            // The parent went away before the node had joined.
        }
        finally
        {
            parent.Complete();
        }

        // A node that was expelled, or left something behind, has said so here.
        return Environment.ExitCode;
    }

    private static IHost Build(NodeSettings settings)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());

        // The host would log a failed start with its stack trace; the message is printed where it is caught.
        builder.Logging.SetMinimumLevel(LogLevel.Warning).AddFilter("Microsoft.Extensions.Hosting", LogLevel.None)
            .AddConsole(static console => console.LogToStandardErrorThreshold = LogLevel.Trace);
        builder.Services.AddSingleton(new NodeName(settings.Name)).AddSingleton(PackageCatalog.LoadEmbedded());
        ShopCluster.Join(builder, settings.Cluster, options =>
            {
                options.NodeName = settings.Name;
                options.InitialNodeCount = settings.InitialNodeCount;
                options.Bootstrap = settings.CanBootstrap;
                options.DrainTimeout = DrainMax;
            })
            .AddService<ICatalog, CatalogService>(GlueInstanceMode.Singleton)
            .AddService<IOrders, OrderService>(GlueInstanceMode.Singleton);
        return builder.Build();
    }

    // A node that the cluster lists no more stops its host by itself.
    private static async Task WaitAsync(IHost host, CancellationToken stopped)
    {
        var end = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var lifetime = host.Services.GetRequiredService<IHostApplicationLifetime>();
        await using var own = lifetime.ApplicationStopping.Register(() => end.TrySetResult());
        await using var registration = stopped.Register(() => end.TrySetResult());
        await end.Task.ConfigureAwait(false);
    }
}
