using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Wire;

public class WireBufferTests
{
    [Fact]
    public void Write_BeyondTheFirstArray_KeepsWhatWasWritten()
    {
        var buffer = new WireBuffer(4, 1_000_000);
        for (var i = 0; i < 100_000; i++)
            buffer.WriteByte((byte)i);
        Assert.Equal(100_000, buffer.Count);
        Assert.Equal(99_999 % 256, buffer.WrittenSpan[99_999]);
        buffer.Reset();
        Assert.Equal(0, buffer.Count);
    }

    [Fact]
    public void Write_BeyondTheLimit_ThrowsWithSizes()
    {
        var buffer = new WireBuffer(4, 10);
        buffer.WriteBytes(new byte[10]);
        var exception = Assert.Throws<WireLimitException>(() => buffer.WriteByte(1));
        Assert.Equal((11L, 10), (exception.Needed, exception.BytesMax));
    }

    [Fact]
    public void GetSpan_ForFarMoreThanTheLimit_DoesNotAllocate() =>
        Assert.Throws<WireLimitException>(() => new WireBuffer(4, 10).GetSpan(1 << 30).Length);

    [Fact]
    public void WriteText_IsLengthAndUtf8()
    {
        var buffer = new WireBuffer(4, 100);
        buffer.WriteText("hé");
        Assert.Equal("0368C3A9", Convert.ToHexString(buffer.WrittenSpan));
    }
}
