using Cluster.Slim.Hosting;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Tests.Hosting;

namespace Cluster.StateStore.Tests.Messages;

/// <summary>Fixes the numbers of docs/formats/state-messages.md.</summary>
public sealed class MessageFormatTests
{
    [Fact]
    public void Ids_Names_AreTheirPinnedHashes()
    {
        Assert.Equal((uint)XxHash3.Hash("carts"u8), SimulatedCluster.Carts.Id);
        Assert.Equal(1_749_125_778u, SimulatedCluster.Carts.Id);
    }

    [Fact]
    public void Enumerations_OfMessages_KeepTheirNumbers()
    {
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8], Enum.GetValues<StateVerb>().Select(verb => (int)verb));
        int[] replies = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
        Assert.Equal(replies, Enum.GetValues<StateReplyStatus>().Select(status => (int)status));
        Assert.Equal([1, 2, 3], Enum.GetValues<WatchReplyStatus>().Select(status => (int)status));
        Assert.Equal([0, 1, 2, 3, 4], Enum.GetValues<ExpiryKind>().Select(kind => (int)kind));
        Assert.Equal([0, 1, 2, 3], Enum.GetValues<StateStore.Hosting.Tables.MemberState>().Select(state => (int)state));
    }
}
