using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Nodes;

namespace Cluster.StateStore.Tests.Protocol.Nodes;

/// <summary>Proposals to a store whose answers get lost.</summary>
public sealed class SwapsTests
{
    private static readonly ProtocolTimes Times = new();

    private readonly NodeEffects _effects = new();
    private readonly Swaps _swaps;
    private readonly ClusterTable _successor = ClusterTable.CreateEmpty(1).StartSuccessor(Guid.NewGuid());

    public SwapsTests()
    {
        _swaps = new Swaps(_effects, Times);
        _swaps.Propose(_successor, needsCoordinator: true);
        Assert.Equal([(_successor, true)], _effects.Swaps);
        _effects.Clear();
    }

    [Fact]
    public void Ended_Done_GivesTheTableThatStands()
    {
        Assert.Same(_successor, _swaps.Ended(_successor.ProposerNonce, SwapResult.Done, 0));
        Assert.False(_swaps.IsBusy);
        CheckNotRepeated();
    }

    [Fact]
    public void Ended_Conflict_ReadsTheStoreAndProposesNothingBeforeTheTableIsThere()
    {
        Assert.Null(_swaps.Ended(_successor.ProposerNonce, SwapResult.Conflict, 0));
        Assert.Equal((true, true, true), (_swaps.IsBusy, _effects.ReadsTable, _effects.IsConsistent));
        _swaps.Adopted(_successor.Version - 1);
        Assert.True(_swaps.IsBusy);
        _swaps.Adopted(_successor.Version);
        Assert.False(_swaps.IsBusy);
        CheckNotRepeated();
    }

    [Fact]
    public void Ended_ConflictWithoutANewerTable_LetsTheNodeProposeAgainLater()
    {
        _swaps.Ended(_successor.ProposerNonce, SwapResult.Conflict, 1_000);
        _swaps.Tick(1_000 + Times.Direct.Ticks - 1);
        Assert.True(_swaps.IsBusy);
        _swaps.Tick(1_000 + Times.Direct.Ticks);
        Assert.False(_swaps.IsBusy);
        CheckNotRepeated();
    }

    [Fact]
    public void Ended_Unknown_ReadsTheStoreAndProposesTheSameAgainLater()
    {
        Assert.Null(_swaps.Ended(_successor.ProposerNonce, SwapResult.Unknown, 1_000));
        Assert.Equal((true, true, true), (_swaps.IsBusy, _effects.ReadsTable, _effects.IsConsistent));
        _swaps.Tick(1_000 + Times.Direct.Ticks - 1);
        Assert.Empty(_effects.Swaps);
        _swaps.Tick(1_000 + Times.Direct.Ticks);
        Assert.Equal([(_successor, true)], _effects.Swaps);

        // It is on its way again, and not proposed twice.
        _swaps.Tick(long.MaxValue);
        Assert.Single(_effects.Swaps);
    }

    [Fact]
    public void Ended_UnknownAndThenDone_GivesTheTableThatStands()
    {
        _swaps.Ended(_successor.ProposerNonce, SwapResult.Unknown, 0);
        _swaps.Tick(Times.Direct.Ticks);
        Assert.Same(_successor, _swaps.Ended(_successor.ProposerNonce, SwapResult.Done, Times.Direct.Ticks));
        Assert.False(_swaps.IsBusy);
    }

    [Fact]
    public void Adopted_TheProposedTable_EndsTheProposal()
    {
        _swaps.Ended(_successor.ProposerNonce, SwapResult.Unknown, 0);
        _swaps.Adopted(_successor.Version);
        Assert.False(_swaps.IsBusy);
        CheckNotRepeated();
    }

    [Fact]
    public void Adopted_HigherVersion_IsAConflict()
    {
        _swaps.Ended(_successor.ProposerNonce, SwapResult.Unknown, 0);
        _swaps.Adopted(_successor.Version + 5);
        Assert.False(_swaps.IsBusy);
        CheckNotRepeated();
        Assert.Null(_swaps.Ended(_successor.ProposerNonce, SwapResult.Done, 0));
    }

    [Fact]
    public void Adopted_TheTableBefore_DecidesNothing()
    {
        _swaps.Ended(_successor.ProposerNonce, SwapResult.Unknown, 0);
        _swaps.Adopted(_successor.Version - 1);
        Assert.True(_swaps.IsBusy);
        _swaps.Tick(Times.Direct.Ticks);
        Assert.Single(_effects.Swaps);
    }

    [Fact]
    public void Ended_AnotherNonce_IsIgnored()
    {
        Assert.Null(_swaps.Ended(Guid.NewGuid(), SwapResult.Done, 0));
        Assert.Null(_swaps.Ended(Guid.Empty, SwapResult.Conflict, 0));
        Assert.Equal((true, false), (_swaps.IsBusy, _effects.ReadsTable));
    }

    private void CheckNotRepeated()
    {
        _swaps.Tick(long.MaxValue);
        Assert.Empty(_effects.Swaps);
    }
}
