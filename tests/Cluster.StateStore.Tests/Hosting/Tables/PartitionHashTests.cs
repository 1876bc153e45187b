using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Tests.Hosting.Tables;

public sealed class PartitionHashTests
{
    [Fact]
    [Trait("Case", "glue-88")]
    public void Hash_Key_IsSeededXxh3()
    {
        var hash = Create(1_024, seed: 7);
        Assert.Equal(XxHash3.Hash("key"u8, 7), hash.Hash("key"u8));
        Assert.NotEqual(Create(1_024, seed: 8).Hash("key"u8), hash.Hash("key"u8));
    }

    [Fact]
    [Trait("Case", "glue-88")]
    public void PartitionOf_AnyHash_IsItsTopBits()
    {
        Assert.Equal(new PartitionId(0), Create(1_024, 0).PartitionOf(0x003F_FFFF_FFFF_FFFF));
        Assert.Equal(new PartitionId(1), Create(1_024, 0).PartitionOf(0x0040_0000_0000_0000));
        Assert.Equal(new PartitionId(1_023), Create(1_024, 0).PartitionOf(ulong.MaxValue));
        Assert.Equal(new PartitionId(16_383), Create(16_384, 0).PartitionOf(ulong.MaxValue));
        Assert.Equal(new PartitionId(0), Create(1, 0).PartitionOf(ulong.MaxValue));
    }

    [Fact]
    public void PartitionOf_TwiceAsManyPartitions_SplitsEachIntoNeighbours()
    {
        var (half, full) = (Create(64, 3), Create(128, 3));
        for (var number = 0; number < 1_000; number++)
        {
            var hash = half.Hash(BitConverter.GetBytes(number));
            Assert.Equal(half.PartitionOf(hash).Value, full.PartitionOf(hash).Value / 2);
        }
    }

    [Fact]
    public void PartitionOf_ManyKeys_SpreadEvenly()
    {
        var hash = Create(64, 99);
        var counts = new int[64];
        for (var number = 0; number < 64_000; number++)
            counts[hash.PartitionOf(hash.Hash(BitConverter.GetBytes(number))).Value]++;
        Assert.All(counts, count => Assert.InRange(count, 850, 1_150));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(-2)]
    [InlineData(32_768)]
    public void Create_BadPartitionCount_IsRefused(int count) =>
        Assert.Throws<ArgumentException>(() => Create(count, 0));

    private static PartitionHash Create(int partitions, ulong seed) =>
        new(new ClusterMeta(Guid.Empty, "test", partitions, seed, 1));
}
