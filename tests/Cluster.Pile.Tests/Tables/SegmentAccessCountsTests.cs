using Cluster.Pile.Tables.Eviction;

namespace Cluster.Pile.Tests.Tables;

/// <summary>What a segment must be asked for to stay as it is.</summary>
public sealed class SegmentAccessCountsTests
{
    private const int Records = 100;
    private const int Extent = 48;

    [Theory]
    [InlineData(0, true)]
    [InlineData(10, true)]
    [InlineData(11, false)]
    public void FirstTurn_WithSoManyNeverRead(int idle, bool isHigh) =>
        Assert.Equal(isHigh, IsHigh(SegmentAccessCounts.Ever(Records * Extent), idle, readsOfOthers: 1));

    // A table that kept what three fifths are asked for never followed a demand that came after a loop.
    [Theory]
    [InlineData(0, true)]
    [InlineData(25, true)]
    [InlineData(26, false)]
    [InlineData(40, false)]
    public void LaterTurn_WithSoManyNotReadSince(int idle, bool isHigh) =>
        Assert.Equal(isHigh, IsHigh(SegmentAccessCounts.SinceKept(), idle, SegmentAccessCounts.CalmReads + 1));

    [Fact]
    public void LaterTurn_OfReadsBeforeTheLastOnly_IsNotHigh() =>
        Assert.False(IsHigh(SegmentAccessCounts.SinceKept(), idle: 0, SegmentAccessCounts.CalmReads));

    private static bool IsHigh(SegmentAccessCounts demand, int idle, int readsOfOthers)
    {
        for (var record = 0; record < Records; record++)
        {
            if (!demand.TryCount(Extent, record < idle ? 0 : readsOfOthers))
                return false;
        }

        return demand.IsHigh;
    }
}
