using Cluster.Contracts.Pacing;
using Cluster.Nodes.Coordination;
using Cluster.Nodes.Proposals;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using static Cluster.Nodes.Tests.Proposals.ScriptedStore;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Proposals;

public sealed class TableProposerTests : IDisposable
{
    private readonly ScriptedStore _store = new(With(Member(0)));
    private readonly TableView _view = new(Node(0), Empty with { Version = 0 });
    private readonly TableProposer _proposer;

    public TableProposerTests() => _proposer = new TableProposer(
        _store, new ConfirmedTable(_store, _view, TimeProvider.System), TimeProvider.System, new Jitter(1),
        NullLogger<TableProposer>.Instance);

    public void Dispose() => _proposer.Dispose();

    [Fact]
    public async Task Propose_NothingToChange_ReadsOnly()
    {
        Assert.Equal(ProposalOutcome.Stands, await ProposeAsync(table => table));
        Assert.Equal((0, 1L), (_store.SwapCount, _view.Current.Version));
    }

    [Fact]
    public async Task Propose_Change_StandsAndIsSeenAtOnce()
    {
        await ProposeAsync(Drain);
        Assert.Equal(MemberState.Draining, _view.Current.FindMember(Node(0))!.State);
        Assert.Equal((2L, 1), (_store.Table.Version, _store.SwapCount));
    }

    [Fact]
    public async Task Propose_Overtaken_ComputesAgainFromTheNewerTable()
    {
        _store.Script(Swap.Overtake, Swap.Overtake);
        await ProposeAsync(Drain);
        Assert.Equal((4L, 3), (_store.Table.Version, _store.SwapCount));
    }

    [Fact]
    public async Task Propose_AnswerLostAfterTheSwap_IsRecognisedAndNotRepeated()
    {
        _store.Script(Swap.LoseAnswer);
        Assert.Equal(ProposalOutcome.Stands, await ProposeAsync(Drain));
        Assert.Equal((2L, 1), (_store.Table.Version, _store.SwapCount));
    }

    [Fact]
    public async Task Propose_RequestLostAndStoreAwayForAWhile_WaitsAndProposesAgain()
    {
        _store.Script(Swap.LoseRequest);
        _store.ReadFailures = 2;
        Assert.Equal(ProposalOutcome.Stands, await ProposeAsync(Drain));
        Assert.Equal((2L, 2), (_store.Table.Version, _store.SwapCount));
    }

    [Fact]
    public async Task Propose_LeaseLost_SaysSo()
    {
        _store.Script(Swap.LoseLease);
        Assert.Equal(ProposalOutcome.LeaseLost, await ProposeAsync(Drain));
        Assert.Equal(1L, _store.Table.Version);
    }

    [Fact]
    public async Task Propose_ChangeAgainstTheRules_IsNotSent()
    {
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => ProposeAsync(table => table with { Members = [] }));
        Assert.Equal(0, _store.SwapCount);
    }

    [Fact]
    [Trait("Case", "repair-C6")]
    public async Task Propose_StoreWentBackToAnOlderTable_ProposesNothingAndSaysSo()
    {
        await ProposeAsync(Drain);
        _store.Replace(With(Member(0)));
        var failure = await Assert.ThrowsAsync<ClusterStoreException>(
            () => ProposeAsync(table => MemberChanges.Advance(table, Node(0), MemberState.Gone)));
        Assert.Equal(ClusterStoreError.Incompatible, failure.Kind);
        Assert.Contains("table 1, but this process has read table 2", failure.Message, StringComparison.Ordinal);
        Assert.Equal((1L, 1), (_store.Table.Version, _store.SwapCount));
    }

    [Fact]
    public async Task Propose_StoreAwayForGood_EndsWithTheCaller()
    {
        _store.ReadFailures = int.MaxValue;
        using var budget = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await _proposer.ProposeAsync(Drain, ProposalPace.Urgent, null, budget.Token));
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public async Task ProposeAsync_StoreAway_IsToldOnceAtInformation()
    {
        using var logs = new LogRecorder();
        using var proposer = new TableProposer(
            _store, new ConfirmedTable(_store, _view, TimeProvider.System), TimeProvider.System, new Jitter(1),
            logs.CreateLogger<TableProposer>());
        _store.ReadFailures = 4;
        await proposer.ProposeAsync(Drain, ProposalPace.Urgent, null, CancellationToken.None);
        Assert.Single(logs.Entries, entry => entry.Event.Id == 5010);
        Assert.Equal(3, logs.Entries.Count(entry => entry.Event.Id == 5011 && entry.Level == LogLevel.Debug));
    }

    private Task<ProposalOutcome> ProposeAsync(Func<ClusterTable, ClusterTable> change) =>
        _proposer.ProposeAsync(change, ProposalPace.Urgent, null, CancellationToken.None)
            .AsTask().WaitAsync(TimeSpan.FromSeconds(30));

    private static ClusterTable Drain(ClusterTable table) => MemberChanges.Advance(table, Node(0), MemberState.Draining);
}
