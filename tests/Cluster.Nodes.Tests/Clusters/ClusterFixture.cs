using Cluster.Glue.Authorization;
using Cluster.Nodes.Hosting;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Memory;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Stores;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>The store that the nodes of a test share.</summary>
public enum StoreKind
{
    Memory,
    Unsteady,
    File,
}

/// <summary>Several nodes in one process over real loopback connections. Disposal stops everything that the fixture
/// started. Unexpected warnings fail the test.</summary>
internal sealed class ClusterFixture(StoreKind kind, ITestOutputHelper output) : IAsyncDisposable
{
    public const int PartitionCount = 64;
    public static readonly TimeSpan WaitBudget = TimeSpan.FromMinutes(1);

    private readonly InMemoryClusterHub _hub = new();
    private readonly TemporaryFolder _folder = new();
    private readonly List<TestNode> _nodes = [];
    private readonly StoreKind _kind = kind;

    /// <summary>How many partitions the cluster has.</summary>
    public int Partitions { get; init; } = PartitionCount;

    public LogRecorder Logs { get; } = new LogRecorder(output);

    /// <summary>Runs before a node registers with an in-memory store. Set it before the node starts.</summary>
    public Action? OnRegistration { get; set; }

    /// <summary>Runs with the new table before an in-memory store swaps it. Set it before the node starts.</summary>
    public Func<ClusterTable, Task>? BeforeSwap { get; set; }

    /// <summary>Whether an in-memory store loses its answers to waits for a change. Set it before the node
    /// starts.</summary>
    public Func<bool>? LosesPolls { get; set; }

    /// <summary>The secret for nodes whose store keeps no secret.</summary>
    public static GlueSecret Secret { get; } = new("the secret of the tests, long enough");

    public async Task<TestNode> StartAsync(string name, Action<ClusterOptions>? configure = null)
    {
        var node = Create(name, configure);
        await node.Host.StartAsync();
        return node;
    }

    /// <summary>Starts all nodes at once and waits until they share all partitions.</summary>
    public async Task<TestNode[]> StartTogetherAsync(params string[] names)
    {
        var nodes = await Task.WhenAll(
            names.Select(name => StartAsync(name, options => options.InitialNodeCount = names.Length)));
        await WaitUntilOwnedAsync(nodes, names.Length);
        return nodes;
    }

    /// <summary>Writes a number of tallies, one for each index.</summary>
    public static async Task FillAsync(TestNode node, int count)
    {
        for (var index = 0; index < count; index++)
            await node.Tallies.PutAsync($"fill-{index}", new Tally { Count = index });
    }

    /// <summary>Checks that a node sees all that <see cref="FillAsync"/> has written.</summary>
    public static async Task CheckFilledAsync(TestNode node, int count)
    {
        for (var index = 0; index < count; index++)
            Assert.Equal(index, (await node.Tallies.GetAsync($"fill-{index}"))?.Count);
    }

    /// <summary>Waits until each of the nodes sees the partitions evenly shared among this number of nodes, and nothing
    /// moving.</summary>
    public static Task WaitUntilOwnedAsync(IEnumerable<TestNode> watchers, int ownerCount) => Eventually.TrueAsync(
        () => watchers.All(watcher => IsSettled(watcher.Table, ownerCount)),
        WaitBudget,
        $"all partitions shared by {ownerCount} nodes");

    public TestNode Create(string name, Action<ClusterOptions>? configure = null)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(Logs.Provider).SetMinimumLevel(LogLevel.Information);
        builder.Configuration.AddInMemoryCollection([new("Cluster:Name", "test")]);
        var cluster = builder.AddCluster(options =>
        {
            options.NodeName = name;
            if (_kind != StoreKind.File)
                options.Secret = Secret;
            options.PileBudgetBytes = 32 << 20;
            options.Backups = 0;

            // The time-outs are long, so that a busy machine does not fail a test.
            options.StartTimeout = options.DrainTimeout = WaitBudget;
            configure?.Invoke(options);
            if (options.Role == ClusterRole.Node)
                options.PartitionCount = Partitions;
        });
        builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = 2 * WaitBudget);
        UseStore(cluster);
        cluster.AddState<string, Tally>("tallies");
        cluster.AddClient<IGreeter>();
        var node = new TestNode(name, builder, cluster);

        // All nodes of a test share one process, so a node must not set the exit code of the test run.
        builder.Services.Replace(ServiceDescriptor.Singleton(new ProcessExit(code => node.ExitCode = code)));
        _nodes.Add(node);
        return node;
    }

    /// <summary>Removes the cluster from the in-memory store.</summary>
    public void EmptyStore() => _hub.Remove("test");

    /// <summary>Replaces the cluster in the store by another cluster of the same name. Its table is far newer, and a
    /// foreign node owns all partitions.</summary>
    public async Task ReplaceClusterAsync()
    {
        _hub.Remove("test");
        await using var store = OpenInMemory();
        await store.CreateAsync(StoreTables.NewMeta("test", PartitionCount), CancellationToken.None);
        var table = ClusterTable.CreateEmpty(PartitionCount);
        for (var change = 0; change < 100; change++)
            await SwapAsync(StoreTables.WithNewMember(table));
        await SwapAsync(StoreTables.WithActive(table, table.Members[0].Slot));
        await SwapAsync(StoreTables.WithFirstOwner(table, table.Members[0].Slot));

        async Task SwapAsync(ClusterTable successor)
        {
            table = successor;
            Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(table, null, CancellationToken.None));
        }
    }

    /// <summary>Lets the members of a table join, and declares them dead before they are active.</summary>
    public async Task DeclareDeadAsync(ClusterTable table)
    {
        await using var store = new InMemoryClusterStore(_hub, "test", TimeProvider.System);
        await SwapAsync(table, MemberState.Joining);
        await SwapAsync(table.StartSuccessor(Guid.NewGuid()), MemberState.Gone);

        async Task SwapAsync(ClusterTable successor, MemberState state)
        {
            successor = successor with
            {
                Members = [.. successor.Members.Select(member => member with { State = state })],
            };
            Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(successor, null, CancellationToken.None));
        }
    }

    public async ValueTask DisposeAsync()
    {
        // The hosts are disposed one after the other without being stopped. What the remaining nodes log about that
        // concerns no test.
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

    private void UseStore(ClusterBuilder cluster)
    {
        if (_kind == StoreKind.File)
            cluster.UseFileStore(_folder.Path);
        else
            cluster.UseStore(_ => OpenInMemory(), StoreBootstrap.ByItself);
    }

    private IRestorableClusterStore OpenInMemory()
    {
        var store = new InMemoryClusterStore(_hub, "test", TimeProvider.System);
        return _kind == StoreKind.Unsteady
            ? new UnsteadyStore(store)
            : new ForwardingStore(store)
            {
                OnRegistration = OnRegistration,
                BeforeSwap = BeforeSwap,
                LosesPolls = LosesPolls,
            };
    }

    private static bool IsSettled(ClusterTable table, int ownerCount)
    {
        var active = table.Members.Count(member => member.State == MemberState.Active);
        var owners = table.Partitions.Select(entry => entry.Primary).Distinct().Count();
        return active == ownerCount
            && owners == Math.Min(ownerCount, table.Partitions.Length)
            && table.Partitions.All(entry => entry is { Primary: not null, Joining: null, InSync.Count: 1 });
    }
}
