using Cluster.Nodes.Members;
using Cluster.Nodes.Tests.Stores;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Microsoft.Extensions.Logging;
using static Cluster.Nodes.Tests.Stores.ScriptedStore;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Members;

/// <summary>What the state store of a node asks of the cluster store and of the failure detector, and what it
/// hears.</summary>
[Collection(HandleTests.Name)]
public sealed class NodeEnvironmentTests : IAsyncDisposable
{
    private const int OutcomeUnknown = 5010;
    private const int TableRefused = 5012;
    private const int WorkFailed = 5013;
    private const int LeaseLost = 5061;
    private const int DeathFound = 5062;

    private readonly EnvironmentFixture _node = new(With(Member(1)));

    private NodeEnvironment Environment => _node.Environment;

    private ScriptedStore Store => _node.Store;

    private LogRecorder Logs => _node.Logs;

    public ValueTask DisposeAsync() => _node.DisposeAsync();

    [Fact]
    public async Task Swap_Swapped_IsPublishedAtOnce()
    {
        var successor = Store.Table.StartSuccessor(Guid.NewGuid());
        Environment.Swap(successor, needsCoordinator: false);
        await UntilAsync(() => _node.View.Current == successor);
        Assert.Equal((successor, 1), (Store.Table, Store.SwapCount));
    }

    [Fact]
    public async Task Swap_Swapped_EndsTheProposal()
    {
        await _node.JoinAsync();
        Assert.Equal((1, 2L), (Store.SwapCount, _node.View.Current.Version));
    }

    [Fact]
    public async Task Swap_Conflict_IsNotPublishedAndMadeAnewFromTheNewerTable()
    {
        Store.Script(Swap.Overtake);
        await _node.JoinAsync();
        Assert.Equal([2L, 3L], Store.Swaps.Select(table => table.Version));
        Assert.Equal(3, _node.View.Current.Version);
        Assert.Equal(2, Store.Swaps.Select(table => table.ProposerNonce).Distinct().Count());
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public async Task Swap_RequestLost_IsMadeAgainWithTheSameNonceAndToldOnce()
    {
        Store.Script(Swap.LoseRequest, Swap.LoseRequest, Swap.LoseRequest);
        await _node.JoinAsync();
        Assert.Equal((4, 2L), (Store.SwapCount, _node.View.Current.Version));
        Assert.Single(Store.Swaps.Select(table => table.ProposerNonce).Distinct());
        Assert.Single(Logs.Entries, entry => entry.Event.Id == OutcomeUnknown && entry.Level == LogLevel.Information);
    }

    [Fact]
    public async Task Swap_AnswerLost_IsFoundOutByAReadAndNotRepeated()
    {
        Store.Script(Swap.LoseAnswer);
        await _node.JoinAsync();
        Assert.Equal((1, 2L), (Store.SwapCount, _node.View.Current.Version));
    }

    /// <summary>The store may have taken the change before it was emptied or replaced, and another node may have read
    /// it.</summary>
    [Theory]
    [InlineData(Swap.Empty)]
    [InlineData(Swap.ReplaceCluster)]
    [Trait("Case", "cluster-emptied-store")]
    public async Task Swap_StoreEmptiedOrReplaced_IsUnknownAndMadeAgainWithTheSameNonce(object trouble)
    {
        Store.Script((Swap)trouble, (Swap)trouble);
        await _node.JoinAsync();
        Assert.Equal((3, 2L), (Store.SwapCount, _node.View.Current.Version));
        Assert.Single(Store.Swaps.Select(table => table.ProposerNonce).Distinct());
    }

    [Fact]
    public async Task Swap_Refused_IsAConflictAndToldOnce()
    {
        Logs.Allow(TableRefused);
        Store.Script(Swap.Refuse, Swap.Refuse, Swap.Refuse);
        await _node.JoinAsync();
        Assert.Equal(4, Store.Swaps.Select(table => table.ProposerNonce).Distinct().Count());
        var told = Assert.Single(Logs.Entries, entry => entry.Event.Id == TableRefused);
        Assert.Contains("the token is not allowed to write", told.Message, StringComparison.Ordinal);
    }

    /// <summary>Without an outcome, the node would never propose again.</summary>
    [Fact]
    public async Task Swap_StoreFailsUnexpectedly_IsUnknownAndMadeAgain()
    {
        Logs.Allow(WorkFailed);
        Store.Script(Swap.Fail);
        await _node.JoinAsync();
        Assert.Single(Store.Swaps.Select(table => table.ProposerNonce).Distinct());
        Assert.NotNull(Assert.Single(Logs.Entries, entry => entry.Event.Id == WorkFailed).Exception);
    }

    [Fact]
    public async Task Swap_LeaseLost_IsReleasedAndHeldAnewBeforeTheNextProposal()
    {
        var lost = new ScriptedLease();
        Store.Lease = lost;
        Store.NextLease = new ScriptedLease();
        Store.Script(Swap.LoseLease);
        _node.States.Start();
        await _node.DriveUntilAsync(() => lost.ReleaseCount == 1);
        await _node.DriveUntilAsync(() => _node.IsMember);
        Assert.Equal(1, lost.ReleaseCount);
        Assert.Same(Store.NextLease, _node.Lease.Current);
        Assert.Equal(0, Store.Lease.ReleaseCount);
    }

    [Fact]
    public async Task Swap_OfACoordinatorWithoutTheLease_IsNotSent()
    {
        Environment.Swap(Store.Table.StartSuccessor(Guid.NewGuid()), needsCoordinator: true);
        await Environment.DisposeAsync();
        Assert.Equal(0, Store.SwapCount);
    }

    [Fact]
    public async Task HoldCoordinator_LeaseTakenAway_IsNoticed()
    {
        Logs.Allow(LeaseLost);
        Store.Lease = new ScriptedLease();
        await _node.JoinAsync();
        Assert.True(_node.Lease.IsHeld);
        Store.Lease.IsHeld = false;
        Store.Lease = null;
        await _node.DriveUntilAsync(() => !_node.Lease.IsHeld);
        Assert.Null(_node.Lease.Current);
    }

    [Fact]
    public async Task ReleaseCoordinator_HeldLease_IsGivenBack()
    {
        Store.Lease = new ScriptedLease();
        Environment.HoldCoordinator();
        await UntilAsync(() => _node.Lease.IsHeld);
        Environment.ReleaseCoordinator();
        await UntilAsync(() => Store.Lease.ReleaseCount == 1);
        Assert.False(_node.Lease.IsHeld);
    }

    [Fact]
    public async Task ReadTable_Consistent_AsksTheStoreAndPublishes()
    {
        Environment.ReadTable(isConsistent: true);
        await UntilAsync(() => _node.View.Current == Store.Table);
        Assert.Equal(1, Store.ReadCount);
    }

    [Fact]
    public async Task ReadTable_NotConsistent_AsksNobody()
    {
        Environment.ReadTable(isConsistent: false);
        await Environment.DisposeAsync();
        Assert.Equal(0, Store.ReadCount);
    }

    /// <summary>A read that has begun may show an older table than the one that is asked for.</summary>
    [Fact]
    public async Task ReadTable_WhileAReadRuns_ReadsOnceMore()
    {
        var gate = new TaskCompletionSource();
        Store.ReadGate = gate.Task;
        Environment.ReadTable(isConsistent: true);
        await UntilAsync(() => Store.ReadCount == 1);
        Store.Replace(Store.Table.StartSuccessor(Guid.NewGuid()));
        for (var question = 0; question < 10; question++)
            Environment.ReadTable(isConsistent: true);
        gate.SetResult();
        await UntilAsync(() => _node.View.Current == Store.Table);
        await Environment.DisposeAsync();
        Assert.Equal(2, Store.ReadCount);
    }

    [Fact]
    public async Task ReadTable_StoreAway_CanBeAskedAgain()
    {
        Store.ReadFailures = 1;
        Environment.ReadTable(isConsistent: true);
        await UntilAsync(() => Store.ReadCount == 1);
        Environment.ReadTable(isConsistent: true);
        await UntilAsync(() => _node.View.Current == Store.Table);
        Assert.DoesNotContain(Logs.Entries, entry => entry.Level >= LogLevel.Warning);
    }

    [Fact]
    public async Task Probe_DeadMember_IsToldTheStateStoreWhichBuriesIt()
    {
        Logs.Allow(DeathFound);
        Store.Lease = new ScriptedLease();
        Store.Dead.Add(Node(1));
        await _node.JoinAsync();
        await _node.DriveUntilAsync(() => Store.Table.FindDeath(Node(1)) is not null);
        Assert.Equal("proven by the scripted store", Store.Table.FindDeath(Node(1))!.Proof);
        Assert.Single(Logs.Entries, entry => entry.Event.Id == DeathFound);
    }

    /// <summary>Until the table no longer lists a dead node, each lost connection and each beacon leads to a
    /// question.</summary>
    [Fact]
    public async Task Probe_DeadMemberAgain_LogsTheProofOnce()
    {
        Logs.Allow(DeathFound);
        _node.View.Publish(Store.Table);
        Store.Dead.Add(Node(1));
        await UntilAsync(() =>
        {
            Environment.Probe(Node(1));
            return Store.ReadCount >= 3;
        });
        await Environment.DisposeAsync();
        Assert.Single(Logs.Entries, entry => entry.Event.Id == DeathFound);
    }

    [Fact]
    public async Task Probe_MemberThatHasLeftInOrder_TellsNothing()
    {
        _node.View.Publish(Store.Table);
        Store.Replace(Store.Table.WithState(1, MemberState.Gone).StartSuccessor(Guid.NewGuid()));
        Store.Dead.Add(Node(1));
        Environment.Probe(Node(1));
        await UntilAsync(() => _node.View.Current == Store.Table);
        await Environment.DisposeAsync();
        Assert.DoesNotContain(Logs.Entries, entry => entry.Event.Id == DeathFound);
    }

    [Fact]
    public async Task Probe_NodeThatIsNoMember_ExaminesNothing()
    {
        _node.View.Publish(With(Member(1, MemberState.Gone)));
        Environment.Probe(Node(1));
        Environment.Probe(Node(2));
        await Environment.DisposeAsync();
        Assert.Equal(0, Store.ProofCount);
    }

    [Fact]
    public async Task Probe_SameNodeManyTimes_RunsOneExaminationAtATime()
    {
        var gate = new TaskCompletionSource();
        Store.ProofGate = gate.Task;
        _node.View.Publish(Store.Table);
        Parallel.For(0, 100, _ => Environment.Probe(Node(1)));
        await UntilAsync(() => Store.ProofCount == 1);
        Store.IsAway = true;
        gate.SetResult();

        // The examination has ended when the node can be examined again.
        await UntilAsync(() =>
        {
            Environment.Probe(Node(1));
            return Store.ProofCount > 1;
        });
    }

    [Fact]
    public async Task Dispose_PendingWork_EndsIt()
    {
        Store.Script(Swap.Hang);
        Store.ReadGate = Store.ProofGate = new TaskCompletionSource().Task;
        _node.View.Publish(Store.Table);
        Environment.Swap(Store.Table.StartSuccessor(Guid.NewGuid()), needsCoordinator: false);
        Environment.ReadTable(isConsistent: true);
        Environment.Probe(Node(1));
        await UntilAsync(() => (Store.SwapCount, Store.ReadCount, Store.ProofCount) == (1, 1, 1));
        await Environment.DisposeAsync().AsTask().WaitAsync(EnvironmentFixture.WaitBudget);
        Assert.Equal(1, Store.Table.Version);
    }

    [Fact]
    public async Task Calls_AfterTheEnd_AskNobody()
    {
        _node.View.Publish(Store.Table);
        await Environment.DisposeAsync();
        Environment.Probe(Node(1));
        Environment.ReadTable(isConsistent: true);
        Environment.Swap(Store.Table.StartSuccessor(Guid.NewGuid()), needsCoordinator: false);
        Environment.HoldCoordinator();
        Environment.ReleaseCoordinator();
        await Environment.DisposeAsync();
        Assert.Equal((0, 0, 0), (Store.SwapCount, Store.ReadCount, Store.ProofCount));
    }

    private static Task UntilAsync(Func<bool> condition) =>
        Eventually.TrueAsync(condition, EnvironmentFixture.WaitBudget);
}
