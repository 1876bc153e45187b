using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Tests.Protocol.Basics;

public sealed class EntryIdTests
{
    [Fact]
    public void Ids_OrderByEpochThenCounter()
    {
        EntryId[] ordered = [default, EntryId.Of(1, 1), EntryId.Of(1, 2), EntryId.Of(2, 1), EntryId.Of(2, 9)];
        Assert.Equal(ordered, ordered.Reverse().Order());
        Assert.Equal((2L, 9L), (ordered[^1].Epoch, ordered[^1].Counter));
        Assert.Equal(EntryId.Of(3, 10), ordered[^1].Next(epoch: 3));
    }

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(EntryId.EpochMax + 1, 0)]
    [InlineData(1, EntryId.CounterMax + 1)]
    public void Of_NumbersThatDoNotFit_AreRefused(long epoch, long counter) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => EntryId.Of(epoch, counter));
}
