using System.IO.Compression;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Wire;

/// <summary>Acceptance case 73 below the level of calls: what is compressed, and what is refused when it is expanded.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "glue-73")]
public sealed class GzipMessageTests
{
    private const int BytesMax = 64 * 1024;

    [Theory]
    [InlineData(GzipMessageWriter.BytesMin)]
    [InlineData(16_000)]
    [InlineData(BytesMax)]
    public async Task Message_LikeText_TravelsSmaller_AndArrivesAsItWas(int length)
    {
        byte[] payload = TextOf(length);
        var writer = new GzipMessageWriter();
        for (int round = 0; round < 3; round++)
        {
            byte[] compressed = writer.Compress(FrameOf(payload)).ToArray();
            Assert.Equal(GlueWire.FlagCompressed, compressed[0]);
            Assert.InRange(compressed.Length, 10, length / 2);
            Assert.Equal(payload, await ReadAsync(compressed));
        }
    }

    [Fact]
    public void Message_ThatIsSmallOrDoesNotShrink_TravelsAsItIs()
    {
        var writer = new GzipMessageWriter();
        byte[] small = FrameOf(TextOf(GzipMessageWriter.BytesMin - 20));
        Assert.True(writer.Compress(small).Equals(small), "The same memory is sent.");
        byte[] random = new byte[16_000];
        new Random(1).NextBytes(random);
        byte[] frame = FrameOf(random);
        Assert.True(writer.Compress(frame).Equals(frame), "The same memory is sent.");
        Assert.Null(GzipMessageWriter.For(GlueCompression.None));
    }

    [Fact]
    public async Task Messages_CompressedAndNot_MayAlternate()
    {
        byte[] large = TextOf(5000), small = TextOf(10);
        var writer = new GzipMessageWriter();
        byte[] stream =
        [
            .. writer.Compress(FrameOf(large)).Span, .. FrameOf(small), .. writer.Compress(FrameOf(large)).Span,
            .. GzipOf(0), .. FrameOf(large),
        ];
        using var input = new MemoryStream(stream);
        using var reader = new GrpcMessageReader { BytesMax = BytesMax };
        reader.Accept("gzip");
        foreach (byte[] expected in (byte[][])[large, small, large, [], large])
            Assert.Equal(expected, (await reader.ReadAsync(input, CancellationToken.None))!.Value.ToArray());
        Assert.Null(await reader.ReadAsync(input, CancellationToken.None));
    }

    /// <summary>Some kilobytes that become a gigabyte: nothing near that is ever taken.</summary>
    [Fact]
    public async Task Bomb_IsRefused_BeforeItHasExpanded()
    {
        byte[] bomb = GzipOf(1 << 26);
        Assert.InRange(bomb.Length, 1000, BytesMax + 5);
        long before = GC.GetTotalAllocatedBytes(precise: true);
        var refusal = await Assert.ThrowsAsync<WireException>(() => ReadAsync(bomb));
        long allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        Assert.Contains($"become more than the {BytesMax + 11} that", refusal.Message, StringComparison.Ordinal);
        Assert.InRange(allocated, 0, 1 << 25);
    }

    [Theory]
    [InlineData(BytesMax + 1)]
    [InlineData(2 * BytesMax)]
    public async Task Message_JustAboveTheLimit_IsRefused_WhateverItsCompressedLength(int length)
        => await Assert.ThrowsAsync<WireException>(
            () => ReadAsync(new GzipMessageWriter().Compress(FrameOf(TextOf(length + 11))).ToArray()));

    [Fact]
    public async Task Members_OneBehindTheOther_CountTogether()
    {
        byte[] half = GzipOf(BytesMax - 100)[5..];
        await Assert.ThrowsAsync<WireException>(() => ReadAsync(Prefixed([.. half, .. half])));
    }

    /// <summary>Never another payload, and never another exception.</summary>
    [Fact]
    public async Task Message_DamagedAnywhere_IsRefused_OrIsWhatItWas()
    {
        byte[] payload = TextOf(3000);
        byte[] frame = new GzipMessageWriter().Compress(FrameOf(payload)).ToArray();
        int refused = 0;
        for (int at = 5; at < frame.Length; at++)
        {
            byte[] damaged = (byte[])frame.Clone();
            damaged[at] ^= (byte)(1 << (at % 8));
            refused += await IsRefusedAsync(damaged, payload) ? 1 : 0;
            refused += at > 5 && await IsRefusedAsync(Prefixed(frame[5..at]), payload) ? 1 : 0;
        }

        // Time and system of the sender, which stand in the head of a gzip, mean nothing.
        Assert.InRange(refused, (2 * (frame.Length - 5)) - 20, 2 * (frame.Length - 5));
    }

    [Theory]
    [InlineData(null, 1)]
    [InlineData("identity", 1)]
    [InlineData("gzip", 2)]
    public async Task Flag_ThatWasNotAgreedOn_IsRefused(string? encoding, byte flag)
    {
        byte[] frame = new GzipMessageWriter().Compress(FrameOf(TextOf(3000))).ToArray();
        frame[0] = flag;
        var refusal = await Assert.ThrowsAsync<WireException>(() => ReadAsync(frame, encoding));
        Assert.Contains($"compressed flag {flag}", refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, true, false)]
    [InlineData("", true, false)]
    [InlineData("identity", true, false)]
    [InlineData("GZIP", true, true)]
    [InlineData("deflate", false, false)]
    [InlineData("gzip,gzip", false, false)]
    public void Encoding_IsKnownOrNot(string? encoding, bool isKnown, bool isGzip)
    {
        Assert.Equal(isKnown, GrpcEncoding.IsKnown(encoding));
        Assert.Equal(isGzip, GrpcEncoding.IsGzip(encoding));
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData("identity", false)]
    [InlineData("identity, deflate, gzip", true)]
    [InlineData("gzip,identity", true)]
    [InlineData("xgzip", false)]
    public void Peer_AcceptsWhatItNames(string? accepted, bool acceptsGzip)
        => Assert.Equal(acceptsGzip, GrpcEncoding.AcceptsGzip(accepted));

    private static async Task<bool> IsRefusedAsync(byte[] frame, byte[] payload)
    {
        try
        {
            Assert.Equal(payload, await ReadAsync(frame));
            return false;
        }
        catch (WireException)
        {
            return true;
        }
    }

    private static async Task<byte[]> ReadAsync(byte[] frame, string? encoding = "gzip")
    {
        using var input = new MemoryStream(frame);
        using var reader = new GrpcMessageReader { BytesMax = BytesMax };
        reader.Accept(encoding);
        return (await reader.ReadAsync(input, CancellationToken.None))!.Value.ToArray();
    }

    private static byte[] TextOf(int length)
    {
        var random = new Random(length);
        return [.. Enumerable.Range(0, length).Select(at => (byte)(at % 40 == 0 ? random.Next(256) : 'a' + (at % 26)))];
    }

    private static byte[] FrameOf(byte[] payload)
    {
        byte[] buffer = [.. new byte[GlueWire.Headroom], .. payload];
        return buffer[BytesValue.WriteFrameHeader(buffer, GlueWire.Headroom, payload.Length)..];
    }

    // So many zeros, as somebody else compresses them.
    private static byte[] GzipOf(int zeros)
    {
        using var output = new MemoryStream();
        using (var gzip = new GZipStream(output, CompressionLevel.SmallestSize))
            gzip.Write(new byte[zeros]);
        return Prefixed(output.ToArray());
    }

    private static byte[] Prefixed(byte[] content)
    {
        byte[] prefix = [GlueWire.FlagCompressed, 0, 0, 0, 0];
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(prefix.AsSpan(1), content.Length);
        return [.. prefix, .. content];
    }
}
