using Cluster.Contracts;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Tests.Proposals;
using Cluster.StateStore.Partitions;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Liveness;

public sealed class DeathExaminerTests : IAsyncDisposable
{
    private readonly ScriptedStore _store = new(Empty);
    private readonly NodeId _node = NodeId.NewIncarnation("n1");

    public ValueTask DisposeAsync() => _store.DisposeAsync();

    [Fact]
    public async Task Examine_StoreProvesIt_IsDead()
    {
        _store.Dead.Add(_node);
        Assert.Equal(LifeState.Dead, await JudgeAsync(ProofOfDeath.StoreOnly, "10.0.0.1:1"));
    }

    [Fact]
    public async Task Examine_LoopbackPortRefused_IsDeadWhereThatCounts()
    {
        var address = ClosedPort(KernelTag.Read());
        Assert.Equal(LifeState.Dead, await JudgeAsync(ProofOfDeath.Loopback, address));
        Assert.Equal(LifeState.Dead, await JudgeAsync(ProofOfDeath.SameKernelAddress, address));
        Assert.Equal(LifeState.Unknown, await JudgeAsync(ProofOfDeath.StoreOnly, address));
    }

    [Fact]
    public async Task Examine_LoopbackOfAnotherMachine_ProvesNothing()
    {
        var address = ClosedPort("fedcba9876543210");
        Assert.Equal(LifeState.Unknown, await JudgeAsync(ProofOfDeath.Loopback, address));
        Assert.Equal(LifeState.Unknown, await JudgeAsync(ProofOfDeath.SameKernelAddress, address));
    }

    [Fact]
    public async Task Examine_StoreAway_StillAsksTheLifePort()
    {
        _store.IsAway = true;
        Assert.Equal(LifeState.Dead, await JudgeAsync(ProofOfDeath.Loopback, ClosedPort(KernelTag.Read())));
    }

    [Fact]
    public async Task Examine_PortAnswers_IsAliveUnlessItIsAnotherLife()
    {
        using var own = LifePort.Open(_node, "127.0.0.1", 0);
        Assert.Equal(LifeState.Alive, await JudgeAsync(ProofOfDeath.StoreOnly, own.Address.ToString()));
        using var other = LifePort.Open(NodeId.NewIncarnation("n1"), "127.0.0.1", 0);
        Assert.Equal(LifeState.Dead, await JudgeAsync(ProofOfDeath.Loopback, other.Address.ToString()));
    }

    [Fact]
    public async Task Examine_NoLifeAddress_IsUnknown() =>
        Assert.Equal(LifeState.Unknown, await JudgeAsync(ProofOfDeath.Loopback, ""));

    private static string ClosedPort(string kernel)
    {
        var port = LifePort.Open(NodeId.NewIncarnation("x"), "127.0.0.1", 0);
        port.Dispose();
        return (port.Address with { Kernel = kernel }).ToString();
    }

    private async Task<LifeState> JudgeAsync(ProofOfDeath proof, string lifeAddress)
    {
        var settings = ClusterSettings.From(new ClusterOptions { ProofOfDeath = proof });
        var examiner = new DeathExaminer(_store, new LifeProbe(TimeProvider.System), settings);
        var member = new ClusterMember(Slot(0), _node, "http://127.0.0.1:1", lifeAddress, default, MemberState.Active);
        return (await examiner.ExamineAsync(member, CancellationToken.None)).State;
    }
}
