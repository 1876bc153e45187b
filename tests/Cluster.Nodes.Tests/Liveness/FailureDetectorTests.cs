using Cluster.Glue;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Tests.Stores;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Liveness;

[Collection(HandleTests.Name)]
public sealed class FailureDetectorTests : IAsyncDisposable
{
    private readonly ScriptedStore _store = new(Empty);
    private readonly NodeId _node = NodeId.NewIncarnation("n1");

    public ValueTask DisposeAsync() => _store.DisposeAsync();

    [Fact]
    public async Task Examine_StoreProvesIt_IsDead()
    {
        _store.Dead.Add(_node);
        Assert.Equal(LivenessState.Dead, await JudgeAsync(ProofOfDeath.StoreOnly, "10.0.0.1:1"));
    }

    [Fact]
    public async Task Examine_LoopbackPortRefused_IsDeadWhereThatCounts()
    {
        using var closed = new RefusingPort();
        var address = AddressOf(closed, KernelTag.Read());
        Assert.Equal(LivenessState.Dead, await JudgeAsync(ProofOfDeath.Loopback, address));
        Assert.Equal(LivenessState.Dead, await JudgeAsync(ProofOfDeath.SameKernelAddress, address));
        Assert.Equal(LivenessState.Unknown, await JudgeAsync(ProofOfDeath.StoreOnly, address));
    }

    [Fact]
    public async Task Examine_LoopbackOfAnotherMachine_ProvesNothing()
    {
        using var closed = new RefusingPort();
        var address = AddressOf(closed, "fedcba9876543210");
        Assert.Equal(LivenessState.Unknown, await JudgeAsync(ProofOfDeath.Loopback, address));
        Assert.Equal(LivenessState.Unknown, await JudgeAsync(ProofOfDeath.SameKernelAddress, address));
    }

    [Fact]
    public async Task Examine_StoreAway_StillAsksTheLivenessEndpoint()
    {
        _store.IsAway = true;
        using var closed = new RefusingPort();
        Assert.Equal(LivenessState.Dead, await JudgeAsync(ProofOfDeath.Loopback, AddressOf(closed, KernelTag.Read())));
    }

    [Fact]
    public async Task Examine_PortAnswers_IsAliveUnlessItIsAnotherLife()
    {
        using var own = LivenessEndpoint.Open(_node, "127.0.0.1", 0);
        Assert.Equal(LivenessState.Alive, await JudgeAsync(ProofOfDeath.StoreOnly, own.Address.ToString()));
        using var other = LivenessEndpoint.Open(NodeId.NewIncarnation("n1"), "127.0.0.1", 0);
        Assert.Equal(LivenessState.Dead, await JudgeAsync(ProofOfDeath.Loopback, other.Address.ToString()));
    }

    [Fact]
    public async Task Examine_NoLifeAddress_IsUnknown() =>
        Assert.Equal(LivenessState.Unknown, await JudgeAsync(ProofOfDeath.Loopback, ""));

    private static string AddressOf(RefusingPort closed, string kernel) =>
        new LivenessAddress("127.0.0.1", closed.Number, kernel).ToString();

    private async Task<LivenessState> JudgeAsync(ProofOfDeath proof, string lifeAddress)
    {
        var settings = ClusterSettings.From(new ClusterOptions { ProofOfDeath = proof });
        var probe = new LivenessProbe(TimeProvider.System, new GlueClient()) { Deadline = TimeSpan.FromMinutes(1) };
        var examiner = new FailureDetector(_store, probe, settings);
        var member = new ClusterMember(Slot(0), _node, "http://127.0.0.1:1", lifeAddress, default, MemberState.Active);
        return (await examiner.ExamineAsync(member, CancellationToken.None)).State;
    }
}
