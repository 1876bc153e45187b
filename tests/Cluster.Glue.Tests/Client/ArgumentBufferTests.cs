using Cluster.Glue.Client;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Client;

public sealed class ArgumentBufferTests
{
    private static readonly byte[] Lent = [.. Enumerable.Repeat((byte)7, 100)];

    [Theory]
    [InlineData(0, 0)]
    [InlineData(5, 0)]
    [InlineData(0, 5)]
    [InlineData(5, 3_000)]
    public void Body_WithLentBytes_IsWhatJoinedHas(int before, int after)
    {
        ArgumentBuffer buffer = new(16);
        Write(buffer, 1, before);
        Assert.True(buffer.TryLend(Lent));
        Write(buffer, 2, after);
        byte[] expected = [.. Enumerable.Repeat((byte)1, before), .. Lent, .. Enumerable.Repeat((byte)2, after)];
        Check(expected, buffer);
        Assert.Equal(expected, buffer.Joined().WrittenSpan.ToArray());
        Check(expected, buffer);
        buffer.Reset();
        Check([], buffer);
    }

    [Fact]
    public void Body_WithoutLentBytes_IsAllThatWasWritten()
    {
        ArgumentBuffer buffer = new(16);
        Write(buffer, 1, 300);
        Check([.. Enumerable.Repeat((byte)1, 300)], buffer);
    }

    [Fact]
    public void TryLend_Twice_RefersToTheFirstBytesOnly()
    {
        ArgumentBuffer buffer = new(16);
        Assert.True(buffer.TryLend(Lent));
        Assert.False(buffer.TryLend(Lent));
        Assert.Equal(Lent.Length, buffer.Count);
        buffer.Joined();
        Assert.True(buffer.TryLend(Lent));
        Assert.Equal(2 * Lent.Length, buffer.Count);
    }

    [Fact]
    public void LentBytes_CountForTheLimit()
    {
        ArgumentBuffer buffer = new(16) { BytesMax = 150 };
        Write(buffer, 1, 51);
        Assert.Throws<WireLimitException>(() => buffer.TryLend(Lent));
        buffer.Reset();
        Write(buffer, 1, 50);
        Assert.True(buffer.TryLend(Lent));
        Assert.Throws<WireLimitException>(() => Write(buffer, 2, 1));
    }

    private static void Check(byte[] expected, ArgumentBuffer buffer)
    {
        var copy = new byte[expected.Length];
        buffer.Body.CopyTo(copy);
        Assert.Equal(expected, copy);
        Assert.Equal((expected.Length, expected.Length), (buffer.Body.Length, buffer.Count));
    }

    private static void Write(ArgumentBuffer buffer, byte value, int count)
    {
        buffer.GetSpan(count)[..count].Fill(value);
        buffer.Advance(count);
    }
}
