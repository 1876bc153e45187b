using System.IO.Compression;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Wire;

/// <summary>Acceptance case 73 below the level of calls: what is compressed, and what is refused when it is
/// expanded.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "glue-73")]
public sealed class GzipMessageTests
{
    private const int BytesMax = 64 * 1024;

    [Theory]
    [InlineData(1)]
    [InlineData(GzipProvider.WorthwhileBytes)]
    [InlineData(BytesMax)]
    public void Message_ComesBackAsItWas(int length)
    {
        var message = TextOf(length);
        var compressed = Compress(message);
        Assert.True(length < GzipProvider.WorthwhileBytes || compressed.Length < length / 2);
        Assert.Equal(message, Expand(compressed));
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(GzipProvider.WorthwhileBytes - 1, false)]
    [InlineData(GzipProvider.WorthwhileBytes, true)]
    public void SmallMessage_TravelsAsItIs(int length, bool isWorth) =>
        Assert.Equal(isWorth, GrpcMessage.Of(new byte[length]).IsWorthCompressing);

    /// <summary>Some kilobytes that become 4 MiB: nothing near that is ever taken.</summary>
    [Fact]
    [Trait("Case", "experience-M3")]
    public void Bomb_IsRefused_BeforeItHasExpanded()
    {
        var bomb = Compress(new byte[1 << 22]);
        Assert.InRange(bomb.Length, 1000, BytesMax);
        var before = GC.GetTotalAllocatedBytes(precise: true);
        var refusal = Assert.Throws<WireException>(() => Expand(bomb));
        var allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        Assert.Contains($"becomes more than the {BytesMax} bytes", refusal.Message, StringComparison.Ordinal);
        Assert.InRange(allocated, 0, 1 << 20);
    }

    /// <summary>The shortest of some refusals counts, because others may use the processor.</summary>
    [Fact]
    [Trait("Case", "experience-M3")]
    public void Bomb_IsRefused_InTenMilliseconds()
    {
        var bomb = Compress(new byte[1 << 22]);
        var shortest = TimeSpan.MaxValue;
        for (var round = 0; round < 10; round++)
        {
            var began = Stopwatch.GetTimestamp();
            Assert.Throws<WireException>(() => Expand(bomb));
            var elapsed = Stopwatch.GetElapsedTime(began);
            shortest = elapsed < shortest ? elapsed : shortest;
        }

        Assert.InRange(shortest, TimeSpan.Zero, TimeSpan.FromMilliseconds(10));
    }

    [Fact]
    public void Message_JustAboveTheLimit_IsRefused() =>
        Assert.Throws<WireException>(() => Expand(Compress(TextOf(BytesMax + 1))));

    [Fact]
    public void Members_OneBehindTheOther_CountTogether()
    {
        var half = Compress(new byte[BytesMax - 100]);
        Assert.Throws<WireException>(() => Expand([.. half, .. half]));
    }

    /// <summary>Never another message, and never another exception.</summary>
    [Fact]
    public void Message_DamagedAnywhere_IsRefused_OrIsWhatItWas()
    {
        var message = TextOf(3000);
        // The protobuf message says how long it is.
        var compressed = Compress(RawGrpc.Frame(message)[GlueWire.GrpcPrefixBytes..]);
        var refused = 0;
        for (var at = 0; at < compressed.Length; at++)
        {
            var damaged = (byte[])compressed.Clone();
            damaged[at] ^= (byte)(1 << (at % 8));
            refused += IsRefused(damaged, message) ? 1 : 0;
            refused += at > 0 && IsRefused(compressed[..at], message) ? 1 : 0;
        }

        // Time and system of the sender, which stand in the head of a gzip, mean nothing.
        Assert.InRange(refused, (2 * compressed.Length) - 20, 2 * compressed.Length);
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 2)]
    public void Flag_ThatWasNotAgreedOn_IsRefused(bool isGzipAgreedOn, byte flag)
    {
        var frame = new ReadOnlySequence<byte>(RawGrpc.OfMessage(Compress(TextOf(3000)), flag));
        var refusal =
            Assert.Throws<WireException>(() => GrpcFrame.LengthOf(frame, BytesMax, isGzipAgreedOn));
        Assert.Contains($"compressed flag {flag}", refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, true)]
    [InlineData("", true)]
    [InlineData("identity", true)]
    [InlineData("gzip", true)]
    [InlineData("deflate", false)]
    [InlineData("gzip,gzip", false)]
    public void Encoding_IsKnownOrNot(string? encoding, bool isKnown) =>
        Assert.Equal(isKnown, GrpcEncoding.IsKnown(encoding));

    private static bool IsRefused(byte[] compressed, byte[] message)
    {
        try
        {
            Assert.Equal(message, BytesValue.ReadPayload(Expand(compressed)).ToArray());
            return false;
        }
        catch (WireException)
        {
            return true;
        }
    }

    // As gRPC does, behind the look at the prefix.
    private static byte[] Expand(byte[] compressed)
    {
        var frame = new ReadOnlySequence<byte>(RawGrpc.OfMessage(compressed, RawGrpc.Compressed));
        GrpcFrame.LengthOf(frame, BytesMax, isGzipAgreedOn: true);
        using var gzip = new GzipProvider(BytesMax).CreateDecompressionStream(new MemoryStream(compressed));
        using var output = new MemoryStream();
        try
        {
            gzip.CopyTo(output);
        }
        catch (Grpc.Core.RpcException refusal)
        {
            throw GrpcFailures.Of(refusal);
        }

        return output.ToArray();
    }

    private static byte[] Compress(byte[] message)
    {
        using var output = new MemoryStream();
        using (var gzip = new GzipProvider(BytesMax).CreateCompressionStream(output, CompressionLevel.Fastest))
            gzip.Write(message);
        return output.ToArray();
    }

    private static byte[] TextOf(int length)
    {
        var random = new Random(length);
        return [.. Enumerable.Range(0, length).Select(at => (byte)(at % 40 == 0 ? random.Next(256) : 'a' + (at % 26)))];
    }
}
