using Cluster.Glue;
using Cluster.Nodes.Beacons;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Coordination;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Members;
using Cluster.Nodes.Tests.Stores;
using Cluster.Nodes.Tests.Watching;
using Cluster.Pile;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Members;

/// <summary>The state store of node 0 and its environment, with a scripted cluster store and a clock that the test
/// advances. The view knows no table at first.</summary>
internal sealed class EnvironmentFixture : IAsyncDisposable
{
    public static readonly TimeSpan WaitBudget = TimeSpan.FromMinutes(1);

    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(200);

    private readonly ManualTimeProvider _time = new();
    private readonly GlueClient _client = new();
    private readonly BeaconExchange _beacons;
    private readonly LocalPile _pile = new(new PileOptions { BudgetBytes = 32 << 20 });

    public EnvironmentFixture(ClusterTable table)
    {
        var self = Member(0);
        Store = new ScriptedStore(table);
        View = new TableView(self.Node, Empty with { Version = 0 });
        var loops = new LoopContext(_time, new NodeIdentity(self.Node), Logs.CreateLogger<LoopContext>());
        Lease = new CoordinatorLease(Store, new NodeIdentity(self.Node), loops);
        var probe = new LivenessProbe(TimeProvider.System, _client) { Deadline = WaitBudget };
        var settings = ClusterSettings.From(new ClusterOptions { ProofOfDeath = ProofOfDeath.StoreOnly });
        var trust = PeerTrust.Find(settings, SecretOrigin.Process, () => Store);
        _beacons = new BeaconExchange(new NodeIdentity(self.Node), trust, _client, loops);
        Environment = new NodeEnvironment(
            Store,
            ConfirmedTables.Create(Store, View, _time),
            new FrameSender(static _ => new Nobody()),
            new FailureDetector(Store, probe, settings),
            loops)
        {
            Lease = Lease,
            Beacons = _beacons,
        };
        States = new NodeStateStore(
            new StateCatalog([]),
            new ClusterMeta(Guid.NewGuid(), "test", PartitionCount, 1, ClusterMeta.CurrentFormatVersion),
            _pile,
            View,
            new NodeStateStoreOptions { Member = self, Environment = Environment, Time = _time });
        Environment.States = States;
    }

    public LogRecorder Logs { get; } = new();

    public ScriptedStore Store { get; }

    public TableView View { get; }

    public CoordinatorLease Lease { get; }

    public NodeEnvironment Environment { get; }

    public NodeStateStore States { get; }

    /// <summary>Whether the view lists the node as active.</summary>
    public bool IsMember => View.Current.FindMember(Node(0)) is { State: MemberState.Active };

    /// <summary>Starts the state store and lets the time pass until the node is a member.</summary>
    public Task JoinAsync()
    {
        States.Start();
        return DriveUntilAsync(() => IsMember);
    }

    /// <summary>Advances the clock step by step until a condition holds.</summary>
    public Task DriveUntilAsync(Func<bool> condition) => Eventually.TrueAsync(
        () =>
        {
            _time.Advance(Step);
            return condition();
        },
        WaitBudget);

    public async ValueTask DisposeAsync()
    {
        States.Dispose();
        _beacons.Dispose();
        await Environment.DisposeAsync();
        await Lease.ReleaseAsync();
        await _client.DisposeAsync();
        _pile.Dispose();
        Logs.Dispose();
    }

    private sealed class Nobody : IStateFrames
    {
        public Task DeliverAsync(byte[] frame, CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
