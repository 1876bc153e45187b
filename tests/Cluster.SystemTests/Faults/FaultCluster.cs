using Cluster.Contracts;
using Cluster.Glue.Authorization;
using Cluster.Nodes;
using Cluster.StateStore;
using Cluster.StateStore.Hosting.Tables;
using Cluster.SystemTests.Host;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Cluster.Testing.Faults;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>The processes of one scenario: nodes, Consul servers, a relay for each ordered pair of processes, and the
/// test itself as a client. Owned by the scenario, which is its only thread; the load reads it.</summary>
internal sealed class FaultCluster : IAsyncDisposable
{
    /// <summary>The name of the test's own process.</summary>
    public const string Client = "test";

    public static readonly TimeSpan StartBound = TimeSpan.FromMinutes(2);

    private const string Secret = "the secret of the fault scenarios";

    private readonly ITestOutputHelper _output;
    private readonly LogRecorder _logs = new();
    private readonly List<PeerRelay> _relays = [];
    private readonly HttpRelay _clientConsul;
    private IHost? _client;

    private FaultCluster(FaultSettings settings, ConsulGroup consul, ITestOutputHelper output)
    {
        (Settings, Consul, _output) = (settings, consul, output);
        Folder = settings.UsesFolder ? Directory.CreateTempSubdirectory("cluster-faults-").FullName : null;
        _clientConsul = new HttpRelay(consul.Addresses);
        var names = Enumerable.Range(1, settings.NodeCount + settings.FurtherNodes).Select(number => $"n{number}");

        // Each node prefers another server, as with one agent on each machine.
        Nodes = [.. names.Select((name, index) => new FaultNode(
            name, consul.AddressesFrom(index), settings.HasOwnAgents))];
        foreach (var to in Nodes)
            _relays.AddRange(Nodes.Select(node => node.Name).Append(Client).Except([to.Name]).Select(from => new PeerRelay(from, to)));
    }

    public FaultSettings Settings { get; }

    public ConsulGroup Consul { get; }

    /// <summary>The folder of the file store; null: the cluster uses Consul.</summary>
    public string? Folder { get; }

    public FaultNode[] Nodes { get; }

    public FaultNode this[string name] => Nodes.Single(node => node.Name == name);

    public IEnumerable<FaultNode> Running => Nodes.Where(node => node.IsRunning);

    public IEnumerable<string> RunningNames => Running.Select(node => node.Name);

    public ITableView TableView => _client!.Services.GetRequiredService<ITableView>();

    public ClusterTable Table => TableView.Current;

    public ICluster View => _client!.Services.GetRequiredService<ICluster>();

    /// <summary>The relay between the test's own process and Consul.</summary>
    public HttpRelay ClientConsul => _clientConsul;

    public IPartitionedState<string, Counter> Counters =>
        _client!.Services.GetRequiredService<IPartitionedState<string, Counter>>();

    /// <summary>The state of which the test keeps values.</summary>
    public IPartitionedState<long, Counter> Kept =>
        _client!.Services.GetRequiredService<IPartitionedState<long, Counter>>();

    /// <summary>How many layouts of counters the test's own process knows.</summary>
    public int KnownLayouts => LayoutCounts.Read(_client!.Services, TestStates.Counters);

    /// <summary>The version of the protocol that all nodes speak at least.</summary>
    public int MinProtocol => SpokenProtocol.MinOf(Table);

    /// <summary>The highest version of the protocol that a node speaks.</summary>
    public int ProtocolOf(string name) => SpokenProtocol.Of(
        Table.Members.Last(member => member.Node.Incarnation == this[name].Incarnation));

    /// <summary>Starts servers, nodes and client, and waits until all partitions have all copies.</summary>
    public static async Task<FaultCluster> StartAsync(FaultSettings settings, ITestOutputHelper output)
    {
        var consul = await ConsulGroup.StartAsync(settings.UsesFolder ? 0 : settings.ConsulServers);
        var cluster = new FaultCluster(settings, consul, output);
        try
        {
            var first = cluster.Nodes.Take(settings.NodeCount).ToArray();
            foreach (var node in first)
                cluster.Start(node.Name);
            foreach (var node in first)
                await node.WaitUntilStartedAsync(StartBound);
            cluster._client = await cluster.StartClientAsync(Client, cluster._clientConsul.Address);
            await cluster.WaitUntilSharedAsync(StartBound);
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Starts the process of a node, and lets its relays accept connections.</summary>
    public void Start(string name, params string[] settings)
    {
        var node = this[name];
        foreach (var relay in _relays.Where(relay => relay.To == name))
            relay.Listen();
        var relays = _relays.Where(relay => relay.From == name).SelectMany(relay => relay.Ports).ToDictionary();
        string[] clock = Settings.ClockRates.TryGetValue(name, out var rate) ? [$"--clock-rate={rate}"] : [];
        node.Start(
        [
            .. Folder is null
                ? new[] { $"--Cluster:Consul:Address={node.ConsulAddress}", $"--Cluster:Secret={Secret}" }
                : [$"--folder={Folder}"],
            $"--Cluster:NodeName={name}",
            $"--Cluster:ListenAddress=http://127.0.0.1:{node.Port}",
            $"--Cluster:LivenessPort={node.LivenessPort}",
            $"--Cluster:PartitionCount={Settings.PartitionCount}",
            $"--Cluster:PileBudgetBytes={256 << 20}",
            $"--Cluster:StartTimeout={StartBound}",
            $"--Cluster:Backups={Settings.Backups}",
            $"--Cluster:InitialNodeCount={Settings.NodeCount}",
            $"--Cluster:Bootstrap={name == Nodes[0].Name}",
            $"--Cluster:ProofOfDeath={(Settings.HasProofOfDeath ? ProofOfDeath.Loopback : ProofOfDeath.StoreOnly)}",
            $"--relays={PeerDetours.Format(relays)}",
            .. clock,
            .. Settings.MappedFolders is { } folders
                ? new[] { $"--Cluster:MappedFolder={Path.Combine(folders, name)}" }
                : [],
            .. Settings.NodeSettings,
            .. settings,
        ]);
    }

    /// <summary>Ends the process of a node at once. Its ports refuse connections, and so do its relays.</summary>
    public async Task KillAsync(string name)
    {
        this[name].Process!.KillAlone();
        RefuseConnectionsTo(name);
        await this[name].Process!.WaitForExitAsync(StartBound);
    }

    /// <summary>Closes the relays to a node that has ended.</summary>
    public void RefuseConnectionsTo(string name)
    {
        foreach (var relay in _relays.Where(relay => relay.To == name))
            relay.Close();
    }

    /// <summary>Holds back everything that one process sends to another.</summary>
    public void Cut(string sender, string receiver)
    {
        foreach (var relay in Between(sender, receiver))
            relay.StallFrom(sender);
    }

    /// <summary>Holds back everything that two processes send to each other.</summary>
    public void CutBoth(string one, string other)
    {
        Cut(one, other);
        Cut(other, one);
    }

    /// <summary>Lets the bytes between two processes pass again.</summary>
    public void Heal(string one, string other)
    {
        foreach (var relay in Between(one, other))
            relay.Open();
    }

    /// <summary>Lets all bytes pass again.</summary>
    public void HealAll()
    {
        foreach (var relay in _relays)
            relay.Open();
        foreach (var node in Nodes)
            node.Consul.Pass();
        _clientConsul.Pass();
    }

    /// <summary>Delays all bytes between all processes.</summary>
    public void DelayAll(RelayDelay delay)
    {
        foreach (var relay in _relays)
            relay.Delay(delay);
    }

    /// <summary>Changes bytes between nodes. Clients are left out: without TLS, a changed byte of a call may give a call
    /// with another meaning.</summary>
    public void DamageBetweenNodes(int percent)
    {
        foreach (var relay in _relays.Where(relay => relay.From != Client))
            relay.Damage(percent);
    }

    /// <summary>Waits until all partitions have all copies on running nodes, and nothing moves.</summary>
    public Task WaitUntilReplicatedAsync(TimeSpan bound) => Eventually.TrueAsync(
        IsReplicated, bound, $"all partitions with all copies on {string.Join(", ", RunningNames)}");

    /// <summary>Waits until all partitions have all copies, no move is planned, and each running node is the primary of
    /// some.</summary>
    public Task WaitUntilSharedAsync(TimeSpan bound) => Eventually.TrueAsync(
        () => IsReplicated()
            && Table is var table
            && table.Partitions.All(entry => entry.Next is null)
            && RunningNames.All(name => Enumerable.Range(0, table.Partitions.Length)
                .Any(index => table.PrimaryOf(index) == name)),
        bound,
        $"all partitions with all copies, shared by {string.Join(", ", RunningNames)}");

    public bool IsReplicated()
    {
        var table = Table;
        var live = LiveSlots(table);
        var copies = Math.Min(Settings.Backups + 1, live.Count);
        return live.Count == Running.Count()
            && table.Partitions.All(entry =>
                entry is { Primary: { } primary, Joining: null, Leaving: null }
                && entry.InSync.Count == copies
                && live.Contains(primary)
                && entry.InSync.All(live.Contains));
    }

    /// <summary>Finds the node that coordinates.</summary>
    public async Task<string?> FindCoordinatorAsync()
    {
        foreach (var node in Running)
        {
            var id = new NodeId(node.Name, node.Incarnation);
            try
            {
                if ((await View.GetStatusAsync(id)).IsCoordinator)
                    return node.Name;
            }
            catch (GlueException)
            {
                // A node that does not answer is not the one that is looked for.
            }
        }

        return null;
    }

    /// <summary>A running node that does not coordinate.</summary>
    public async Task<string> FindFollowerAsync()
    {
        var coordinator = await FindCoordinatorAsync();
        return RunningNames.First(name => name != coordinator);
    }

    public async ValueTask DisposeAsync()
    {
        if (_client is not null)
            await ((IAsyncDisposable)_client).DisposeAsync();
        foreach (var node in Nodes)
        {
            foreach (var process in node.Processes)
                _output.WriteLine($"--- {node.Name}\n{process.Output}");
        }

        foreach (var entry in _logs.Entries.Where(entry => entry.Level >= LogLevel.Information))
            _output.WriteLine($"client {entry}");
        foreach (var node in Nodes)
            await node.DisposeAsync();
        foreach (var relay in _relays)
            await relay.DisposeAsync();
        await _clientConsul.DisposeAsync();
        await Consul.DisposeAsync();
        if (Folder is not null && Directory.Exists(Folder))
            Directory.Delete(Folder, recursive: true);
    }

    private IEnumerable<PeerRelay> Between(string one, string other) => _relays.Where(relay =>
        (relay.From == one && relay.To == other) || (relay.From == other && relay.To == one));

    private HashSet<NodeSlot> LiveSlots(ClusterTable table)
    {
        var lives = Running.Select(node => node.Incarnation).ToHashSet();
        return
        [
            .. table.Members
                .Where(member => member.State == MemberState.Active && lives.Contains(member.Node.Incarnation))
                .Select(member => member.Slot),
        ];
    }

    /// <summary>Starts one more client in the test's own process, whose connections no relay holds back.</summary>
    public Task<IHost> StartFurtherClientAsync() => StartClientAsync("further", Consul.Addresses[0]);

    private async Task<IHost> StartClientAsync(string name, string consul)
    {
        var builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(_logs.Provider).SetMinimumLevel(LogLevel.Information);
        builder.Configuration.AddInMemoryCollection([new("Cluster:Consul:Address", consul)]);
        var cluster = builder.AddCluster(options =>
        {
            options.NodeName = name;
            options.Role = ClusterRole.Client;
            options.StartTimeout = StartBound;
            options.Backups = Settings.Backups;
            if (Folder is null)
                options.Secret = new GlueSecret(Secret);
        });
        if (Folder is null)
            cluster.UseConsul();
        else
            cluster.UseFileStore(Folder);
        TestStates.AddTo(cluster);
        PeerDetours.Add(
            builder.Services,
            _relays.Where(relay => relay.From == name).SelectMany(relay => relay.Ports).ToDictionary());
        var client = builder.Build();
        await client.StartAsync();
        return client;
    }
}
