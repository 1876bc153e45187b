using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Hosting;

public class VarintTests
{
    [Theory]
    [InlineData(0UL)]
    [InlineData(1UL)]
    [InlineData(127UL)]
    [InlineData(128UL)]
    [InlineData(16383UL)]
    [InlineData(16384UL)]
    [InlineData(uint.MaxValue)]
    [InlineData(ulong.MaxValue)]
    public void WriteThenRead_GivesTheValueBack(ulong value)
    {
        var bytes = new byte[Varint.BytesMax];
        var length = Varint.Write(bytes, value);
        Assert.Equal(Varint.SizeOf(value), length);
        Assert.True(Varint.TryRead(bytes.AsSpan(0, length), out var read, out var readLength));
        Assert.Equal((value, length), (read, readLength));
        Assert.False(Varint.TryRead(bytes.AsSpan(0, length - 1), out _, out _));
    }

    [Fact]
    public void SizeOf_EveryBitLength_MatchesWrite()
    {
        var bytes = new byte[Varint.BytesMax];
        for (var bit = 0; bit < 64; bit++)
            Assert.Equal(Varint.Write(bytes, 1UL << bit), Varint.SizeOf(1UL << bit));
    }

    [Theory]
    [InlineData("80808080808080808002")]
    [InlineData("8080808080808080808001")]
    [InlineData("80")]
    public void TryRead_TooLongOrCutShort_IsFalse(string hex) =>
        Assert.False(Varint.TryRead(Convert.FromHexString(hex), out _, out _));
}
