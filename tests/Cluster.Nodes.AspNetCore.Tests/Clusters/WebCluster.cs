using Cluster.Nodes.Hosting;
using Cluster.Testing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.AspNetCore.Tests.Clusters;

/// <summary>Web applications in this process that are the nodes of one cluster, over a folder of their own. Disposal
/// stops them and deletes the folder.</summary>
public sealed class WebCluster : IAsyncDisposable
{
    /// <summary>How long a test waits for the cluster.</summary>
    public static readonly TimeSpan WaitBudget = TimeSpan.FromMinutes(1);

    private readonly string _folder = Directory.CreateTempSubdirectory("web-cluster-").FullName;
    private readonly List<WebApplication> _nodes = [];

    /// <summary>The logs of all nodes.</summary>
    public LogRecorder Logs { get; } = new();

    /// <summary>The nodes, in the order of their names.</summary>
    public IReadOnlyList<WebApplication> Nodes => _nodes;

    /// <summary>Starts nodes together, and waits until each owns a share of the partitions.</summary>
    /// <param name="count">The number of nodes.</param>
    /// <param name="compose">Adds to the node with a number, before it is built.</param>
    /// <param name="map">Adds endpoints to a node.</param>
    public async Task StartAsync(
        int count, Action<WebApplicationBuilder, ClusterBuilder> compose, Action<WebApplication>? map = null)
    {
        for (var number = 0; number < count; number++)
            _nodes.Add(Create(number, count, compose, map));
        await Task.WhenAll(_nodes.Select(node => node.StartAsync()));
        await Eventually.TrueAsync(
            () => _nodes.All(node => IsShared(ClusterOf(node), count)), WaitBudget, "all partitions are shared");
    }

    /// <summary>A node's view of the cluster.</summary>
    public static ICluster ClusterOf(WebApplication node) => node.Services.GetRequiredService<ICluster>();

    /// <summary>The number of the node that owns a key.</summary>
    public int OwnerOf(string state, string key)
    {
        var owner = ClusterOf(_nodes[0]).OwnerOf(state, key)!.Node;
        return _nodes.FindIndex(node => ClusterOf(node).Self == owner);
    }

    /// <summary>Finds a key that a node owns.</summary>
    public string FindKey(string state, int owner, string prefix) => Enumerable.Range(0, 10_000)
        .Select(number => $"{prefix}{number}")
        .First(key => OwnerOf(state, key) == owner);

    public async ValueTask DisposeAsync()
    {
        try
        {
            Logs.Verify();
        }
        finally
        {
            Logs.Allow(static _ => true);
            foreach (var node in _nodes)
                await node.DisposeAsync();
            Logs.Dispose();
            Directory.Delete(_folder, recursive: true);
        }
    }

    private WebApplication Create(
        int number, int count, Action<WebApplicationBuilder, ClusterBuilder> compose, Action<WebApplication>? map)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions { ApplicationName = "web-tests" });
        builder.WebHost.UseKestrelCore().UseUrls("http://127.0.0.1:0");
        builder.Services.AddRoutingCore();
        builder.Logging.AddProvider(Logs.Provider).SetMinimumLevel(LogLevel.Information);
        var cluster = builder.AddCluster(options =>
        {
            options.Name = "web";
            options.NodeName = $"web-{number}";
            options.PileBudgetBytes = 64 << 20;
            options.PartitionCount = 64;
            options.InitialNodeCount = count;
            options.StartTimeout = options.DrainTimeout = WaitBudget;
        });
        cluster.UseFileStore(_folder);
        compose(builder, cluster);
        var node = builder.Build();
        map?.Invoke(node);
        return node;
    }

    private static bool IsShared(ICluster cluster, int count) =>
        cluster.Nodes.Count(node => node.State == NodeState.Active) == count
        && cluster.Snapshot.Partitions is { Count: > 0 } partitions
        && partitions.All(partition => partition.Owner is not null)
        && partitions.Select(partition => partition.Owner!.Node).Distinct().Count() == count;
}
