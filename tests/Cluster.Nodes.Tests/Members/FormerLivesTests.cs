using Cluster.Glue;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Members;
using Cluster.Nodes.Tests.Stores;
using Cluster.Nodes.Tests.Watching;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Members;

[Collection(HandleTests.Name)]
public sealed class FormerLivesTests : IAsyncDisposable
{
    private const int FormerLifeUnknown = 5050;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    private readonly ManualTimeProvider _time = new();
    private readonly LogRecorder _logs = new();
    private readonly GlueClient _client = new();
    private readonly NodeId _self = NodeId.NewIncarnation("n1");
    private readonly NodeId _former = NodeId.NewIncarnation("n1");

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        _logs.Dispose();
    }

    [Fact]
    public async Task Wait_NobodyHadThisName_ReturnsAtOnce()
    {
        var lives = Create(new ScriptedStore(With(Member(0))));
        Assert.Empty(await lives.WaitAsync(CancellationToken.None));
    }

    [Fact]
    public async Task Wait_FormerLifeProvenDead_IsReturned()
    {
        var store = new ScriptedStore(Listing(""));
        store.Dead.Add(_former);
        var dead = Assert.Single(await Create(store).WaitAsync(CancellationToken.None));
        Assert.Equal((_former, LivenessState.Dead), (dead.Node, dead.State));
        Assert.Equal("proven by the scripted store", dead.Reason);
    }

    [Fact]
    public async Task Wait_FormerLifeThatIsGoneFromTheList_IsNotExamined()
    {
        var store = new ScriptedStore(Listing("", MemberState.Gone));
        store.Dead.Add(_former);
        Assert.Empty(await Create(store).WaitAsync(CancellationToken.None));
        Assert.Equal(0, store.ProofCount);
    }

    [Fact]
    public async Task Wait_FormerLifeUnknown_IsLoggedAndTheNodeJoins()
    {
        _logs.Allow(FormerLifeUnknown);
        Assert.Empty(await Create(new ScriptedStore(Listing(""))).WaitAsync(CancellationToken.None));
        var told = Assert.Single(_logs.Entries, entry => entry.Event.Id == FormerLifeUnknown);
        Assert.Contains(_former.ToString(), told.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_FormerLifeThatStaysAlive_IsTheOwnerOfTheNameAfterFiveSeconds()
    {
        using var alive = LivenessEndpoint.Open(_former, "127.0.0.1", 0);
        var waiting = Create(new ScriptedStore(Listing(alive.Address.ToString()))).WaitAsync(CancellationToken.None);
        for (var passed = TimeSpan.Zero; passed < FormerLives.EndWait; passed += Pause)
        {
            await _time.WaitForTimersAsync();
            Assert.False(waiting.IsCompleted);
            _time.Advance(Pause);
        }

        var failure = await Assert.ThrowsAsync<ClusterStartException>(() => waiting);
        Assert.Equal(ClusterExitCode.NameTaken, failure.ExitCode);
        Assert.Contains(_former.ToString(), failure.Message, StringComparison.Ordinal);
        Assert.Contains("Cluster:NodeName", failure.Remedy, StringComparison.Ordinal);
        Assert.Equal(FormerLives.EndWait, _time.Elapsed);
    }

    [Fact]
    public async Task Wait_FormerLifeThatEndsMeanwhile_IsReturnedAsDead()
    {
        var store = new ScriptedStore(Listing(""));
        using var alive = LivenessEndpoint.Open(_former, "127.0.0.1", 0);
        store.Replace(Listing(alive.Address.ToString()));
        var waiting = Create(store).WaitAsync(CancellationToken.None);
        await _time.WaitForTimersAsync();
        store.Dead.Add(_former);
        _time.Advance(Pause);
        Assert.Equal(_former, Assert.Single(await waiting).Node);
    }

    [Fact]
    public async Task Wait_CallerGivesUp_Ends()
    {
        using var alive = LivenessEndpoint.Open(_former, "127.0.0.1", 0);
        using var caller = new CancellationTokenSource();
        var waiting = Create(new ScriptedStore(Listing(alive.Address.ToString()))).WaitAsync(caller.Token);
        await _time.WaitForTimersAsync();
        await caller.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }

    private ClusterTable Listing(string livenessAddress, MemberState state = MemberState.Active) => With(
        Member(0),
        new ClusterMember(Slot(1), _former, "http://127.0.0.1:1", livenessAddress, default, state));

    private FormerLives Create(ScriptedStore store)
    {
        var settings = ClusterSettings.From(new ClusterOptions());
        var probe = new LivenessProbe(TimeProvider.System, _client) { Deadline = TimeSpan.FromMinutes(1) };
        return new FormerLives(
            ConfirmedTables.Create(store, new TableView(_self, Empty with { Version = 0 }), _time),
            new FailureDetector(store, probe, settings),
            _time,
            _logs.CreateLogger<FormerLives>());
    }
}
