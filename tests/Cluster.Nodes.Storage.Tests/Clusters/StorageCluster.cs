using Cluster.Nodes.Hosting;
using Cluster.Nodes.Storage.Tests.Storages;
using Cluster.Nodes.Storage.Values;
using Cluster.Nodes.Storage.Writing;
using Cluster.StateStore;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Xunit.Abstractions;

namespace Cluster.Nodes.Storage.Tests.Clusters;

/// <summary>Several nodes in one process with one stored state. Disposal stops everything; unexpected warnings fail the
/// test.</summary>
internal sealed class StorageCluster(ITestOutputHelper output) : IAsyncDisposable
{
    public const string State = "accounts";
    public static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly TemporaryFolder _folder = new();
    private readonly List<StorageNode> _nodes = [];

    public LogRecorder Logs { get; } = new(output);

    public IReadOnlyList<StorageNode> Nodes => _nodes;

    /// <summary>The storage of all nodes, unless the options of a test name another one.</summary>
    public MemoryStorage<string, Account> Storage { get; } = new();

    /// <summary>What else all nodes have; null: nothing.</summary>
    public Action<ClusterBuilder>? Extension { get; set; }

    /// <summary>Starts nodes that share all partitions.</summary>
    public async Task<StorageNode[]> StartAsync(
        int count, Action<StoredStateOptions<string, Account>>? configure = null, int backups = 1)
    {
        var nodes = Enumerable.Range(0, count)
            .Select(_ => Create(configure, SetUp)).ToArray();
        await Task.WhenAll(nodes.Select(node => node.Host.StartAsync()));
        await Eventually.TrueAsync(
            () => nodes.All(node => CountOwners(node) == count), Bound, $"{count} nodes own partitions");
        if (count > backups)
            await WaitForCopiesAsync(nodes);
        return nodes;

        void SetUp(ClusterOptions options) => (options.Backups, options.InitialNodeCount) = (backups, count);
    }

    /// <summary>Waits until all partitions have their copies. A busy machine may take one out of sync for a while, and
    /// what its owner has then is lost with it.</summary>
    public static Task WaitForCopiesAsync(IReadOnlyList<StorageNode> nodes)
    {
        return Eventually.TrueAsync(HaveCopiesAsync, Bound, "all partitions have their copies");

        async ValueTask<bool> HaveCopiesAsync()
        {
            var reports = nodes.Select(
                node => node.Host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync());
            return (await Task.WhenAll(reports)).All(report => report.Status == HealthStatus.Healthy);
        }
    }

    /// <summary>Starts one more node.</summary>
    public async Task<StorageNode> JoinAsync(
        Action<StoredStateOptions<string, Account>>? configure = null, int backups = 1)
    {
        var node = Create(configure, options => options.Backups = backups);
        await node.Host.StartAsync();
        return node;
    }

    /// <summary>Starts a client of the nodes.</summary>
    public async Task<StorageNode> ConnectAsync(Action<StoredStateOptions<string, Account>>? configure = null)
    {
        var client = Create(configure, options => options.Role = ClusterRole.Client);
        await client.Host.StartAsync();
        return client;
    }

    /// <summary>How many nodes own partitions; zero while a partition has no owner.</summary>
    public static int CountOwners(StorageNode node)
    {
        var partitions = node.Cluster.Snapshot.Partitions;
        return partitions.Any(partition => partition.Owner is null)
            ? 0
            : partitions.Select(partition => partition.Owner!.Node).Distinct().Count();
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            Logs.Verify();
        }
        finally
        {
            Logs.Allow(static _ => true);
            foreach (var node in Enumerable.Reverse(_nodes))
                await node.DisposeAsync();
            _folder.Dispose();
            Logs.Dispose();
        }
    }

    private StorageNode Create(
        Action<StoredStateOptions<string, Account>>? configure, Action<ClusterOptions> setUp)
    {
        var name = $"n{_nodes.Count + 1}";
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(Logs.Provider).SetMinimumLevel(LogLevel.Information);
        var extended = builder.AddCluster(options =>
            {
                options.Name = "storage";
                options.NodeName = name;
                options.PartitionCount = 16;
                options.Backups = 1;
                options.PileBudgetBytes = 64 << 20;
                options.StartTimeout = options.DrainTimeout = Bound;
                setUp(options);
            })
            .UseFileStore(_folder.Path)
            .AddStoredState<string, Account>(State, storage =>
            {
                storage.Storage = _ => Storage;
                configure?.Invoke(storage);
            });
        Extension?.Invoke(extended);
        builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = 2 * Bound);
        var node = new StorageNode(builder.Build());
        _nodes.Add(node);
        return node;
    }
}

/// <summary>One node of a test.</summary>
internal sealed class StorageNode(IHost host) : IAsyncDisposable
{
    private bool _isDisposed;

    public IHost Host { get; } = host;

    public ICluster Cluster => Host.Services.GetRequiredService<ICluster>();

    public IPartitionedState<string, Account> Accounts =>
        Host.Services.GetRequiredKeyedService<IPartitionedState<string, Account>>(StorageCluster.State);

    /// <summary>What the nodes have in memory, without the storage.</summary>
    public IPartitionedState<string, Stored<Account>> Memory =>
        Host.Services.GetRequiredKeyedService<IPartitionedState<string, Stored<Account>>>(StorageCluster.State);

    public IStateWriter Writer =>
        Host.Services.GetRequiredKeyedService<StateWriter<string, Account>>(StorageCluster.State);

    public bool Owns(string key) => Cluster.OwnerOf(StorageCluster.State, key)?.Node == Cluster.Self;

    /// <summary>A key that this node owns.</summary>
    public string OwnKey(string prefix = "own") =>
        Enumerable.Range(0, 100_000).Select(number => $"{prefix}-{number}").First(Owns);

    /// <summary>Ends the node without a word, as a crash does.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        await ((IAsyncDisposable)Host).DisposeAsync();
    }
}
