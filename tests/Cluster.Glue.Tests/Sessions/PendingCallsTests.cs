using Cluster.Glue.Client;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Cluster.Glue.Substreams;

namespace Cluster.Glue.Tests.Sessions;

public class PendingCallsTests
{
    [Fact]
    public void TryAdd_UpToTheLimit_ThenFull()
    {
        var pending = new PendingCalls(2);
        Assert.Equal(StartResult.Started, pending.TryAdd(MakeCall(), out var first));
        Assert.Equal(StartResult.Started, pending.TryAdd(MakeCall(), out var second));
        Assert.NotEqual(first, second);
        Assert.Equal(StartResult.CallsFull, pending.TryAdd(MakeCall(), out _));
    }

    [Fact]
    public void TryRemove_StaleGeneration_FindsNothing()
    {
        var pending = new PendingCalls(1);
        pending.TryAdd(MakeCall(), out var old);
        Assert.NotNull(pending.TryRemove(old));
        pending.TryAdd(MakeCall(), out var current);
        Assert.Equal(old & 0xFFFF, current & 0xFFFF);
        Assert.Null(pending.TryRemove(old));
        Assert.NotNull(pending.TryRemove(current));
        Assert.Null(pending.TryRemove(current));
    }

    [Fact]
    [Trait("Case", "glue-65")]
    public void Ids_ThatWrapAround_NeitherCollideNorBecomeZero()
    {
        var pending = new PendingCalls(2, generationBefore: uint.MaxValue - 2);
        var seen = new HashSet<ulong>();
        for (var i = 0; i < 6; i++)
        {
            pending.TryAdd(MakeCall(), out var first);
            pending.TryAdd(MakeCall(), out var second);
            Assert.True(first != 0 && second != 0 && seen.Add(first) && seen.Add(second));
            Assert.NotNull(pending.TryRemove(first));
            Assert.Null(pending.TryRemove(first));
            Assert.NotNull(pending.TryRemove(second));
        }
    }

    [Fact]
    public void TryRemove_ForeignId_FindsNothing()
    {
        var pending = new PendingCalls(4);
        pending.TryAdd(MakeCall(), out _);
        Assert.Null(pending.TryRemove(ulong.MaxValue));
        Assert.Null(pending.TryRemove(0));
    }

    [Fact]
    public async Task WaitForRoom_WakesWhenACallEnds()
    {
        var pending = new PendingCalls(1);
        pending.TryAdd(MakeCall(), out var id);
        var room = WaitForRoomAsync(pending);
        Assert.False(room.IsCompleted);
        pending.TryRemove(id);
        await room;
    }

    [Fact]
    public async Task Close_HandsOutAllCallsOnce_AndRefusesMore()
    {
        var pending = new PendingCalls(3);
        pending.TryAdd(MakeCall(), out var id);
        pending.TryAdd(MakeCall(), out _);
        Assert.Equal(2, pending.Close().Count);
        Assert.Empty(pending.Close());
        Assert.Null(pending.TryRemove(id));
        Assert.Equal(StartResult.NotConnected, pending.TryAdd(MakeCall(), out _));
        await WaitForRoomAsync(pending);
    }

    [Fact]
    public void RemoveExpired_TakesOnlyWhatIsDue()
    {
        var pending = new PendingCalls(3);
        pending.TryAdd(MakeCall(), out var id);
        Assert.Empty(pending.RemoveExpired(-1));
        Assert.Equal(id, Assert.Single(pending.RemoveExpired(long.MaxValue - 1)).CallId);
        Assert.Equal(0, pending.Count);
    }

    [Fact]
    public async Task WaitForRoom_WhoGaveUp_DoesNotTakeTheRoomOfOthers()
    {
        var pending = new PendingCalls(1);
        pending.TryAdd(MakeCall(), out var id);
        await Assert.ThrowsAsync<TimeoutException>(
            () => pending.WaitForRoomAsync(TimeSpan.FromMilliseconds(1), TimeProvider.System, CancellationToken.None));
        var room = WaitForRoomAsync(pending);
        pending.TryRemove(id);
        await room;
    }

    [Fact]
    public void TryCloseIfEmpty_WithCallsUnderWay_StaysOpen()
    {
        var pending = new PendingCalls(2);
        pending.TryAdd(MakeCall(), out var id);
        Assert.False(pending.TryCloseIfEmpty());
        pending.TryRemove(id);
        Assert.True(pending.TryCloseIfEmpty());
        Assert.Equal(StartResult.NotConnected, pending.TryAdd(MakeCall(), out _));
    }

    private static Task WaitForRoomAsync(PendingCalls pending) =>
        pending.WaitForRoomAsync(TimeSpan.FromMinutes(1), TimeProvider.System, CancellationToken.None);

    private static OutgoingCall<int> MakeCall()
    {
        var settings = new ClientSettings(new GlueClientOptions());
        var contract = new ClientContract(ContractDescription.Of(typeof(Semantics.ICounter)), settings, static () => 0);
        return new OutgoingCall<int>((ClientMethod<int>)contract.Methods[0]);
    }
}
