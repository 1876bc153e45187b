using Cluster.Glue;
using Cluster.Glue.Authorization;
using Cluster.Glue.Tls;
using Cluster.Nodes;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;
using Cluster.StateStore;
using Cluster.StateStore.Hosting.Tables;
using Cluster.SystemTests.Host;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Nodes;

/// <summary>The node processes of one cluster, and the test itself as its client. Disposal stops everything that was
/// started, also after a failure.</summary>
internal sealed class NodeProcesses : IAsyncDisposable
{
    public const int PartitionCount = 64;

    // Used with Consul only: the file store makes its own secret.
    private const string Secret = "the secret of the system tests";

    public static readonly TimeSpan StartBound = TimeSpan.FromMinutes(2);
    public static readonly TimeSpan RecoveryBound = TimeSpan.FromSeconds(10);

    private readonly Dictionary<string, ChildProcess> _processes = [];
    private readonly List<ChildProcess> _ended = [];
    private readonly ITestOutputHelper _output;
    private readonly string? _folder;
    private readonly LogRecorder _logs;
    private IHost? _client;

    private NodeProcesses(ConsulServer? consul, ITestOutputHelper output)
    {
        Consul = consul;
        _output = output;
        _folder = consul is null ? Directory.CreateTempSubdirectory("cluster-nodes-").FullName : null;
        _logs = new LogRecorder(output);
    }

    public ConsulServer? Consul { get; }

    public ClusterTable Table => _client!.Services.GetRequiredService<ITableView>().Current;

    public ICluster Cluster => _client!.Services.GetRequiredService<ICluster>();

    public IPartitionedState<string, Note> Notes =>
        _client!.Services.GetRequiredService<IPartitionedState<string, Note>>();

    public IPartitionedState<long, byte[]> Values =>
        _client!.Services.GetRequiredService<IPartitionedState<long, byte[]>>();

    /// <summary>Settings for every node, in addition to its own.</summary>
    public string[] CommonSettings { get; set; } = [];

    /// <summary>How many copies of a partition other nodes keep.</summary>
    public int Backups { get; set; }

    /// <summary>The certificate and the authorities of the test's client; null: the client uses no TLS.</summary>
    public GlueTlsOptions? Tls { get; set; }

    public ChildProcess this[string name] => _processes[name];

    public static NodeProcesses OnFileStore(ITestOutputHelper output) => new(null, output);

    public static async Task<NodeProcesses> OnConsulAsync(ITestOutputHelper output) =>
        new(await ConsulServer.StartAsync(), output);

    /// <summary>Starts node processes and the client, and waits until the nodes share all partitions.</summary>
    public async Task StartClusterAsync(params string[] names)
    {
        for (var index = 0; index < names.Length; index++)
            Start(names[index], $"--Cluster:InitialNodeCount={names.Length}", $"--Cluster:Bootstrap={index == 0}");

        foreach (var name in names)
            await _processes[name].WaitForLineAsync(line => line == "started", StartBound);
        await StartClientAsync();
        await WaitUntilSharedAsync(names.Length, StartBound);
    }

    /// <summary>Starts one node process. If a setting is given twice, the later one wins.</summary>
    public ChildProcess Start(string name, params string[] settings)
    {
        if (_processes.Remove(name, out var former))
            _ended.Add(former);
        var place = _folder is not null ? $"--folder={_folder}" : $"--Cluster:Consul:Address={Consul!.Address}";
        string[] arguments =
        [
            place,
            .. _folder is null ? new[] { $"--Cluster:Secret={Secret}" } : [],
            $"--Cluster:NodeName={name}",
            $"--Cluster:PartitionCount={PartitionCount}",
            $"--Cluster:PileBudgetBytes={64 << 20}",
            $"--Cluster:StartTimeout={StartBound}",
            $"--Cluster:Backups={Backups}",
            .. CommonSettings,
            .. settings,
        ];
        return _processes[name] = ChildProcess.StartDotnet(typeof(Note).Assembly.Location, arguments);
    }

    /// <summary>Declares all members dead in the file store, as an operator may do.</summary>
    public async Task DeclareAllDeadAsync()
    {
        await using var store = new FileClusterStore(_folder!, "cluster", TimeProvider.System);
        await Eventually.TrueAsync(
            async () =>
            {
                var table = await store.ReadTableAsync(TableConsistency.Consistent, CancellationToken.None);
                var successor = table with
                {
                    Version = table.Version + 1,
                    ProposerNonce = Guid.NewGuid(),
                    Members = [.. table.Members.Select(member => member with { State = MemberState.Gone })],
                };
                return await store.CompareAndSwapAsync(successor, null, CancellationToken.None) == SwapOutcome.Swapped;
            },
            StartBound);
    }

    /// <summary>Waits until this number of active nodes shares all partitions and nothing moves.</summary>
    public Task WaitUntilSharedAsync(int nodeCount, TimeSpan bound) => Eventually.TrueAsync(
        () => IsShared(Table, nodeCount, Backups), bound, $"all partitions shared by {nodeCount} nodes");

    /// <summary>Keys that a node currently owns.</summary>
    public string[] KeysOf(string name, int count) =>
    [
        .. Enumerable.Range(0, 100_000)
            .Select(index => $"key-{index}")
            .Where(key => Cluster.OwnerOf(TestStates.Notes, key)?.Node.Name == name)
            .Take(count),
    ];

    public async Task FillAsync(IEnumerable<string> keys)
    {
        foreach (var key in keys)
            await Notes.PutAsync(key, new Note { Text = key, Revision = 1 });
    }

    /// <summary>Whether every node has counted this number of entries, so that any of them may announce a
    /// loss.</summary>
    public async Task<bool> IsCountedByAllAsync(long entries)
    {
        foreach (var member in Cluster.Nodes)
        {
            if ((await Cluster.GetStatusAsync(member.Node)).EntriesCounted != entries)
                return false;
        }

        return true;
    }

    public async Task<string> FindCoordinatorAsync()
    {
        foreach (var member in Cluster.Nodes)
        {
            if ((await Cluster.GetStatusAsync(member.Node)).IsCoordinator)
                return member.Node.Name;
        }

        throw new InvalidOperationException("No node says that it is the coordinator.");
    }

    public async ValueTask DisposeAsync()
    {
        if (_client is not null)
            await ((IAsyncDisposable)_client).DisposeAsync();
        foreach (var (name, process) in _processes)
            _output.WriteLine($"--- {name}\n{process.Output}");
        foreach (var process in _processes.Values.Concat(_ended))
            await process.DisposeAsync();
        if (Consul is not null)
            await Consul.DisposeAsync();
        if (_folder is not null)
            Directory.Delete(_folder, recursive: true);
    }

    private async Task StartClientAsync()
    {
        var builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(_logs.Provider).SetMinimumLevel(LogLevel.Information);
        if (Consul is not null)
            builder.Configuration.AddInMemoryCollection([new("Cluster:Consul:Address", Consul.Address)]);
        var cluster = builder.AddCluster(options =>
        {
            options.NodeName = "test";
            options.Role = ClusterRole.Client;
            options.StartTimeout = StartBound;
            options.Backups = Backups;
            if (Consul is not null)
                options.Secret = new GlueSecret(Secret);
        });
        if (_folder is not null)
            cluster.UseFileStore(_folder);
        else
            cluster.UseConsul();
        TestStates.AddTo(cluster);
        builder.Services.Configure<GlueClientOptions>(options => options.Tls = Tls);
        _client = builder.Build();
        await _client.StartAsync();
    }

    private static bool IsShared(ClusterTable table, int nodeCount, int backups)
    {
        var active = table.Members.Where(member => member.State == MemberState.Active).Select(member => member.Slot).ToHashSet();
        return active.Count == nodeCount
            && table.Partitions.Select(entry => entry.Primary).Distinct().Count() == nodeCount
            && table.Partitions.All(entry =>
                entry is { Primary: { } owner, Joining: null, Leaving: null }
                && entry.InSync.Count == backups + 1
                && active.Contains(owner));
    }
}
