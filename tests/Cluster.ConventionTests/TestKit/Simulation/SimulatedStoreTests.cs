using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation.Stores;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>Reads, swaps, outages, notifications and the role of the coordinator in the simulated store.</summary>
public sealed class SimulatedStoreTests
{
    private const int SwapCount = 150;

    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly RecordingCluster _run = new();

    private SimulatedStore Store => _run.Cluster.Store;

    [Fact]
    public void Swap_ByTheVersion_IsDoneOnce_AndNotified()
    {
        var next = _run.Swap(0);
        var late = _run.Swap(1, Store.Versions[0].Table);
        Assert.Equal([(next.ProposerNonce, StoreSwapOutcome.Done)], _run[0].Swaps);
        Assert.Equal([(late.ProposerNonce, StoreSwapOutcome.Conflict)], _run[1].Swaps);
        Assert.Same(next, Store.Current);
        Assert.Equal(_run[0].Host.Node, Store.Versions[^1].Proposer);
        Assert.Contains("version 2", _run[2].Names);
    }

    [Fact]
    public void IllegalSuccessor_IsRefusedAndReported()
    {
        _run.Swap(0);
        var table = Store.Current.StartSuccessor(_run[0].Host.Random.NextGuid());
        var usurped = Store.Current.Partitions[0] with { Primary = new NodeSlot(0) };
        _run[0].Host.Swap(table with { Partitions = table.Partitions.SetItem(0, usurped) });
        _run.Run(Second);
        Assert.Equal(StoreSwapOutcome.Conflict, _run[0].Swaps[^1].Outcome);
        Assert.Equal("transition", Assert.Single(_run.Cluster.World.Violations).Invariant);
    }

    [Fact]
    public void UnknownOutcomes_AreOfBothKinds_AndSomeComeLate()
    {
        Store.Conditions.UnknownCount++;
        var (done, undone) = (0, 0);
        for (var swap = 0; swap < SwapCount; swap++)
        {
            var next = _run.Swap(0);
            var isWritten = Store.Current.ProposerNonce == next.ProposerNonce;
            var outcome = _run[0].Swaps[^1].Outcome;
            if (outcome == StoreSwapOutcome.Unknown)
                (done, undone) = isWritten ? (done + 1, undone) : (done, undone + 1);
            else
                Assert.Equal(isWritten, outcome == StoreSwapOutcome.Done);
        }

        Assert.InRange(done, 20, SwapCount);
        Assert.InRange(undone, 5, SwapCount);
        Assert.Equal((done, undone), (Store.Counts.UnknownApplied, Store.Counts.UnknownNotApplied));
        Assert.InRange(Store.Counts.UnknownAppliedLate, 5, done);
    }

    [Fact]
    public void ConsistentReads_ShowTheNewestTable_AndOthersSometimesAnOlderOne()
    {
        Store.Conditions.StaleCount++;
        for (var read = 0; read < 100; read++)
        {
            _run[1].Host.Swap(Store.Current.StartSuccessor(_run[1].Host.Random.NextGuid()));
            _run.Run(Second);
            var number = _run[0].Host.ReadTable(isConsistent: read % 2 == 0);
            _run.Run(Second);
            Assert.Equal(number, _run[0].Readings[^1].Request);
        }

        var readings = _run[0].Readings;
        Assert.All(readings, reading => Assert.Equal(Store.Meta.ClusterId, reading.ClusterId));
        var lags = readings.Zip(readings.Skip(1)).Count(pair => pair.Second.Table!.Version < pair.First.Table!.Version);
        Assert.InRange(lags, 10, 50);
        var consistent = readings.Where(reading => reading.IsConsistent).Select(reading => reading.Table!.Version);
        Assert.Equal(consistent.Order(), consistent);
        Assert.InRange(Store.Counts.StaleReads, 10, 50);
    }

    [Fact]
    public void Outage_FailsReads_LeavesSwapsUnknown_AndEnds()
    {
        Store.Conditions.OutageCount++;
        _run[0].Host.ReadTable(isConsistent: true);
        _run[0].Host.HoldCoordinator();
        var next = _run.Swap(0);
        Assert.Null(Assert.Single(_run[0].Readings).Table);
        Assert.False(Assert.Single(_run[0].Answers).IsAnswered);
        Assert.Equal([(next.ProposerNonce, StoreSwapOutcome.Unknown)], _run[0].Swaps);
        Assert.Single(Store.Versions);

        Store.Conditions.OutageCount--;
        _run[0].Host.ReadTable(isConsistent: true);
        _run.Run(Second);
        Assert.NotNull(_run[0].Readings[^1].Table);
    }

    [Fact]
    public void CutNode_LosesTheStoreAlone()
    {
        Store.Conditions.Cut(1);
        _run[0].Host.ReadTable(isConsistent: true);
        _run[1].Host.ReadTable(isConsistent: true);
        _run.Run(3 * Second);
        Assert.NotNull(_run[0].Readings[^1].Table);
        Assert.Null(_run[1].Readings[^1].Table);
        Store.Conditions.Heal(1);
        Assert.True(Store.Conditions.CanReach(1));
    }

    [Fact]
    public void ForeignStore_ShowsAnotherIdentityWithAHigherVersion_AndTakesNoSwap()
    {
        Store.Conditions.ForeignCount++;
        _run[0].Host.ReadTable(isConsistent: true);
        var next = _run.Swap(0);
        var reading = Assert.Single(_run[0].Readings);
        Assert.NotEqual(Store.Meta.ClusterId, reading.ClusterId);
        Assert.True(reading.Table!.Version > next.Version);
        Assert.Equal(StoreSwapOutcome.Conflict, Assert.Single(_run[0].Swaps).Outcome);
    }

    [Fact]
    public void SilentStore_LosesMostNotifications()
    {
        Store.Conditions.SilenceCount++;
        for (var swap = 0; swap < 50; swap++)
            _run.Swap(0);
        var heard = _run[1].Names.Count(name => name.StartsWith("version", StringComparison.Ordinal));
        Assert.InRange(heard, 2, 20);
        Assert.InRange(Store.Counts.NotificationsLost, 90, 3 * 50);
    }

    [Fact]
    public void Coordinator_HoldsItsRole_UntilItFallsSilentOrGivesItBack()
    {
        _run[0].Host.HoldCoordinator();
        _run.Run(Second);
        var first = _run[0].Host.Node;
        Assert.Equal(first, Ask(1));
        Assert.True(Store.IsCoordinator(first));
        _run.Run(SimulatedStore.CoordinatorTimeToLive);
        Assert.False(Store.IsCoordinator(first));
        Assert.Equal(_run[1].Host.Node, Ask(1));
        _run[1].Host.ReleaseCoordinator();
        _run.Run(Second);
        Assert.Equal(_run[2].Host.Node, Ask(2));
        Assert.Equal(3, Store.Counts.CoordinatorChanges);
    }

    [Fact]
    public void SwapThatNeedsTheCoordinator_IsRefusedToOthers()
    {
        _run[0].Host.HoldCoordinator();
        _run.Run(Second / 10);
        _run.Swap(1, needsCoordinator: true);
        Assert.Equal(StoreSwapOutcome.Conflict, _run[1].Swaps[^1].Outcome);
        _run[0].Host.HoldCoordinator();
        _run.Run(Second / 10);
        _run.Swap(0, needsCoordinator: true);
        Assert.Equal(StoreSwapOutcome.Done, _run[0].Swaps[^1].Outcome);
    }

    [Fact]
    public void Beats_AreShownToReaders_UntilTheyAreOld()
    {
        _run[2].Host.Beat();
        _run.Run(Second);
        _run[0].Host.ReadTable(isConsistent: true);
        _run.Run(SimulatedStore.BeatTimeToLive);
        _run[0].Host.ReadTable(isConsistent: true);
        _run.Run(Second);
        Assert.Equal(_run[2].Host.Node, Assert.Single(_run[0].Readings[0].Beating));
        Assert.Empty(_run[0].Readings[1].Beating);
    }

    private Contracts.NodeId Ask(int node)
    {
        _run[node].Host.HoldCoordinator();
        _run.Run(Second / 10);
        return _run[node].Answers[^1].Holder;
    }
}
