using Cluster.Glue.References;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Wire;

/// <summary>Golden bytes of the wire format: a change here needs a new version.</summary>
public class EnvelopeFormatTests
{
    [Fact]
    public void Call_HasKindIdHandleRemainingLengthBody() =>
        CheckEnvelope(
            "01 8001 05 E807 02 AABB",
            new EnvelopeHeader { Kind = EnvelopeKind.Call, CallId = 128, Method = 5, RemainingMilliseconds = 1000 },
            [0xAA, 0xBB]);

    [Fact]
    public void OneWay_HasNoIdToAnswer() =>
        CheckEnvelope(
            "02 00 01 01 00",
            new EnvelopeHeader { Kind = EnvelopeKind.OneWay, Method = 1, RemainingMilliseconds = 1 },
            []);

    [Fact]
    public void NamedCall_HasThreeHashesInsteadOfTheHandle() =>
        CheckEnvelope(
            "41 07 1100000000000000 2200000000000000 3300000000000000 0A 01 FF",
            new EnvelopeHeader
            {
                Kind = EnvelopeKind.Call,
                CallId = 7,
                IsNamed = true,
                ContractHash = 0x11,
                Method = 0x22,
                LayoutFingerprint = 0x33,
                RemainingMilliseconds = 10,
            },
            [0xFF]);

    [Fact]
    public void CallOfAnObject_HasTargetAndChainBehindTheMethod() =>
        CheckEnvelope(
            "81 07 05 8101 09 0A 01 FF",
            new EnvelopeHeader
            {
                Kind = EnvelopeKind.Call,
                CallId = 7,
                Method = 5,
                Target = 129,
                Chain = 9,
                RemainingMilliseconds = 10,
            },
            [0xFF]);

    /// <summary>As Python's gzip writes it: one member, in a message whose prefix has flag 1.</summary>
    [Fact]
    public void CompressedMessage_IsAGzipBehindFlagOne()
    {
        var frame = Convert.FromHexString(
            "010000001C"
            + "1F8B0800000000000203E34A676460584D070000435A638569000000");
        using var gzip = new Glue.Transport.GzipProvider(1000)
            .CreateDecompressionStream(new MemoryStream(frame[GlueWire.GrpcPrefixBytes..]));
        using var message = new MemoryStream();
        gzip.CopyTo(message);
        Assert.Equal(
            [1, 0, 0, .. Enumerable.Repeat((byte)0xAB, 100)], BytesValue.ReadPayload(message.ToArray()).ToArray());
    }

    [Fact]
    public void StreamEnvelopes_HaveTheIdOfTheStream()
    {
        CheckEnvelope(
            "12 03 05 02AABB 01CC", new EnvelopeHeader { Kind = EnvelopeKind.Items, CallId = 3 }, [2, 0xAA, 0xBB, 1, 0xCC]);
        CheckEnvelope("13 03 00", new EnvelopeHeader { Kind = EnvelopeKind.End, CallId = 3 }, []);
        CheckEnvelope(
            "14 03 05 8008 808010", new EnvelopeHeader { Kind = EnvelopeKind.Credit, CallId = 3 }, [0x80, 8, 0x80, 0x80, 16]);
        CheckEnvelope("15 03 00", new EnvelopeHeader { Kind = EnvelopeKind.Stop, CallId = 3 }, []);
        CheckEnvelope("16 03 01 02", new EnvelopeHeader { Kind = EnvelopeKind.Release, CallId = 3 }, [2]);
    }

    [Fact]
    public void References_StandInFrontOfTheMessage()
    {
        // The mark, two entries, the sender's 1 and the receiver's own 65, and a Slim message.
        var body = Convert.FromHexString("01 02 02 8301 B103".Replace(" ", ""));
        Assert.True(IncomingReferences.ArePresent(body));
        Assert.Equal(5, IncomingReferences.Read(body, null!, null!).MessageStart);
        Assert.False(IncomingReferences.ArePresent([0xB1, 3]));
    }

    [Fact]
    public void Reply_HasKindIdLengthBody() =>
        CheckEnvelope("03 07 01 2A", new EnvelopeHeader { Kind = EnvelopeKind.Reply, CallId = 7 }, [0x2A]);

    [Fact]
    public void Cancel_IsThreeBytes() =>
        CheckEnvelope("05 07 00", new EnvelopeHeader { Kind = EnvelopeKind.Cancel, CallId = 7 }, []);

    [Fact]
    public void CallThatFollows_NamesItsLineBeforeItsTime() =>
        CheckEnvelope(
            "17 05 03 09 64 01 FF",
            new EnvelopeHeader
            {
                Kind = EnvelopeKind.Call, CallId = 5, Method = 3, Line = 9, RemainingMilliseconds = 100,
            },
            [0xFF]);

    [Fact]
    public void OneWay_HasItsLineInPlaceOfAnId() =>
        CheckEnvelope(
            "02 09 03 64 00",
            new EnvelopeHeader { Kind = EnvelopeKind.OneWay, Method = 3, Line = 9, RemainingMilliseconds = 100 },
            []);

    [Fact]
    public void FirstChunk_HasTheLengthOfTheBody_AndTheHeadOfTheEnvelope()
    {
        byte[] first = [0x80, 0x80, 0x08, .. Convert.FromHexString("0307")];
        CheckEnvelope("10 05 05 808008 0307", new EnvelopeHeader { Kind = EnvelopeKind.Chunk, CallId = 5 }, first);
        var head = new byte[GlueWire.EnvelopeHeaderBytesMax];
        var length = new EnvelopeHeader { Kind = EnvelopeKind.Reply, CallId = 7 }.WriteHead(head);
        Assert.Equal("0307", Convert.ToHexString(head.AsSpan(0, length)));
        var whole = Envelope.Join(head.AsSpan(0, length), new PooledBytes([1, 2, 3], 3), beganAt: 9);
        Assert.Equal((EnvelopeKind.Reply, 7UL, 9L), (whole.Kind, whole.CallId, whole.BeganAt));
        Assert.Equal([1, 2, 3], whole.Body.ToArray());
    }

    [Fact]
    public void OpenSubstream_NamesTheSubstream() =>
        CheckEnvelope(
            "11 02 00", new EnvelopeHeader { Kind = EnvelopeKind.OpenSubstream, CallId = (ulong)SubstreamRole.Bulk }, []);

    [Fact]
    public void FullChunk_FillsFourDataFramesAndOneArray()
    {
        var head = new byte[GlueWire.EnvelopeHeaderBytesMax];
        var length = new EnvelopeHeader { Kind = EnvelopeKind.Chunk, CallId = ulong.MaxValue }
            .Write(head, GlueWire.ChunkBytesMax);
        Assert.InRange(GlueWire.Headroom + length + GlueWire.ChunkBytesMax, 65_500, 65_536);
    }

    [Fact]
    public void Hello_HasMagicVersionsNodeAndLimits()
    {
        var node = new NodeId("a", new Guid("00112233-4455-6677-8899-aabbccddeeff"));
        var output = new WireBuffer(64, 1024);
        var link = new LinkSecret(new UInt128(0x1112131415161718, 0x0102030405060708));
        var hello = new Hello(1, 2, node, 4096, 128, link, TimeSpan.FromSeconds(1));
        hello.Write(output);
        Assert.Equal(
            "474C5545" + "01" + "02" + "0161" + "33221100554477668899AABBCCDDEEFF" + "8020" + "8001"
            + "0807060504030201" + "1817161514131211" + "E807",
            Convert.ToHexString(output.WrittenSpan));
        Assert.Equal(hello, Hello.Read(output.WrittenSpan));
    }

    [Fact]
    public void Join_HasMagicVersionLinkSubstreamAndCount()
    {
        var output = new WireBuffer(64, 1024);
        var join = new JoinRequest(1, new LinkSecret(UInt128.One), SubstreamRole.Calls, 300);
        join.Write(output);
        Assert.Equal("474C5545" + "01" + "01" + new string('0', 30) + "01" + "AC02", Convert.ToHexString(output.WrittenSpan));
        Assert.Equal(join, JoinRequest.Read(output.WrittenSpan));
    }

    [Theory]
    [InlineData(0, 0, 0, "010000")]
    [InlineData(1, 300, 0, "0101AC02")]
    [InlineData(1, 300, 2000, "0201AC02D00F")]
    [Trait("Case", "repair-B3")]
    public void BatchHead_IsFormNumberCountAndAge(ulong number, ulong receivedCount, int age, string golden)
    {
        var head = new BatchHead(number, receivedCount, age);
        var buffer = new byte[GlueWire.Headroom];
        var start = head.Write(buffer, buffer.Length);
        Assert.Equal(golden, Convert.ToHexString(buffer.AsSpan(start)));
        Assert.True(BatchHead.Open(buffer.AsSpan(start), out var read).AtEnd);
        Assert.Equal(head, read);
    }

    [Fact]
    public void Bind_ListsMethodsWithHashesAndTypes()
    {
        var output = new WireBuffer(64, 1024);
        var bind = new BindRequest(
            3,
            ["N.I", "O"],
            [[0xAA]],
            [
                new BindRequest.Method { Name = "M", SignatureHashes = [1, 5], LayoutFingerprint = 2, Arguments = [0, 1] },
                new BindRequest.Method
                {
                    Name = "G", SignatureHashes = [3], LayoutFingerprint = 4, TypeArguments = ["A", "B"],
                },
            ]);
        bind.Write(output);
        Assert.Equal(
            ("03 02 03 4E2E49 01 4F 01 01 AA"
                + "02 01 4D 02 0100000000000000 0500000000000000 0200000000000000 00 02 00 01"
                + "01 47 01 0300000000000000 0400000000000000 02 01 41 01 42 00").Replace(" ", "", StringComparison.Ordinal),
            Convert.ToHexString(output.WrittenSpan));
        var read = BindRequest.Read(output.WrittenSpan);
        Assert.Equal(bind.Contracts, read.Contracts);
        Assert.Equal([0xAA], read.DescriptionOf(read.Methods[0].Arguments[1]));
        Assert.Empty(read.DescriptionOf(read.Methods[0].Arguments[0]));
        Assert.Equal(("M", 2UL), (read.Methods[0].Name, read.Methods[0].LayoutFingerprint));
        Assert.Equal(bind.Methods[0].SignatureHashes, read.Methods[0].SignatureHashes);
        Assert.Empty(read.Methods[0].TypeArguments);
        Assert.Equal(["A", "B"], read.Methods[1].TypeArguments);
    }

    [Fact]
    public void Headers_PrecedeTheBody_EachWithNameLengthAndKind()
    {
        var headers = new WireBuffer(64, 1024);
        HeaderBlock.WriteText(headers, "a", "bc");
        HeaderBlock.WriteBinary(headers, "d", [7]);
        CheckEnvelope(
            "21 05 03 02 09" + "01 61 04 62 63" + "01 64 03 07" + "01 FF",
            new EnvelopeHeader
            {
                Kind = EnvelopeKind.Call,
                CallId = 5,
                Method = 3,
                RemainingMilliseconds = 2,
                Headers = headers.WrittenSpan.ToArray(),
            },
            [0xFF]);
        Assert.Equal("bc"u8.ToArray(), HeaderBlock.Find(headers.WrittenSpan, "a").ToArray());
        Assert.Equal([7], HeaderBlock.Find(headers.WrittenSpan, "d").ToArray());
        Assert.True(HeaderBlock.Find(headers.WrittenSpan, "e").IsEmpty);
    }

    [Fact]
    public void TypeArguments_TravelAsOneHeader()
    {
        var headers = TypeArgumentNames.ToHeaders(["A", "B"]);
        Assert.Equal("0A676C75652D7479706573" + "0B" + "0201410142", Convert.ToHexString(headers));
        Assert.Equal(["A", "B"], TypeArgumentNames.FromHeaders(headers));
    }

    [Fact]
    public void Bound_ListsDifferencesOnly()
    {
        var output = new WireBuffer(64, 1024);
        new BindResults(
            3,
            [
                new BindResults.Difference(4, true, GlueErrorCode.UnknownMethod, "no", []),
                new BindResults.Difference(5, false, GlueErrorCode.Unknown, "", [0xAA]),
            ]).Write(output);
        Assert.Equal("0302" + "0415026E6F00" + "05000001AA", Convert.ToHexString(output.WrittenSpan));
        var read = BindResults.Read(output.WrittenSpan);
        Assert.Equal((true, "no"), (read.Differences[0].IsRefused, read.Differences[0].Reason));
        Assert.False(read.Differences[1].IsRefused);
        Assert.Equal([0xAA], read.Differences[1].Result);
    }

    /// <summary>Of a server of a later build: the method is refused all the same, and the number is told.</summary>
    [Fact]
    public void Bound_WithACauseOfALaterBuild_RefusesInWords()
    {
        var read = BindResults.Read(Convert.FromHexString("0301" + "04" + "E707" + "026E6F" + "00"));
        var refused = Assert.Single(read.Differences);
        Assert.True(refused.IsRefused);
        Assert.Equal(
            (GlueErrorCode.Unknown, "no (cause 999, which this build does not know)"), (refused.Code, refused.Reason));
    }

    [Theory]
    [InlineData(0, "0000000000")]
    [InlineData(1, "00000000030A01")]
    [InlineData(127, "00000000810A7F")]
    [InlineData(128, "00000000830A8001")]
    [InlineData(16376, "0000003FFB0AF87F")]
    public void Frame_IsGrpcPrefixAndBytesValue(int length, string header)
    {
        var frame = RawGrpc.Frame(new byte[length]);
        Assert.Equal(header, Convert.ToHexString(frame.AsSpan(0, frame.Length - length)));
        var protobuf = Google.Protobuf.MessageExtensions.ToByteArray(
            new Google.Protobuf.WellKnownTypes.BytesValue
            {
                Value = Google.Protobuf.ByteString.CopyFrom(new byte[length]),
            });
        Assert.Equal(protobuf, frame[GlueWire.GrpcPrefixBytes..]);
        Assert.Equal(length, BytesValue.ReadPayload(protobuf).Length);
    }

    [Fact]
    public void FullBatch_IsOneDataFrame()
    {
        var buffer = new byte[GlueWire.Headroom + GlueWire.BatchBytesMax];
        var payload = new BatchHead((1UL << 35) - 1, (1UL << 35) - 1, (1 << 28) - 1).Write(buffer, GlueWire.Headroom);
        Assert.Equal(16_384 - 3, RawGrpc.Frame(buffer.AsSpan(payload)).Length);
        Assert.Equal(ArrayPool<byte>.Shared.Rent(buffer.Length).Length, buffer.Length);
    }

    [Fact]
    public void Kinds_KeepTheirNumbers() =>
        Assert.Equal(
            "None=0 Call=1 OneWay=2 Reply=3 Fault=4 Cancel=5 Ping=6 Pong=7 Hello=8 Welcome=9 Bind=10 Bound=11 Drain=12 "
            + "Join=13 Joined=14 Leave=15 Chunk=16 OpenSubstream=17 Items=18 End=19 Credit=20 Stop=21 Release=22 Following=23 "
            + "Proof=24 Proven=25",
            string.Join(' ', Enum.GetValues<EnvelopeKind>().Select(kind => $"{kind}={(int)kind}")));

    private static void CheckEnvelope(string golden, EnvelopeHeader header, byte[] body)
    {
        var bytes = new byte[header.BytesMax + body.Length];
        var length = header.Write(bytes, body.Length);
        body.CopyTo(bytes, length);
        Assert.Equal(
            golden.Replace(" ", "", StringComparison.Ordinal),
            Convert.ToHexString(bytes.AsSpan(0, length + body.Length)));
        var reader = new WireReader(bytes.AsSpan(0, length + body.Length));
        var read = Envelope.Read(ref reader);
        Assert.True(reader.AtEnd);
        var id = header.Kind == EnvelopeKind.OneWay ? header.Line : header.CallId;
        Assert.Equal((header.Kind, id, header.Method), (read.Kind, read.CallId, read.Method));
        Assert.Equal(header.Line, read.Line);
        Assert.Equal(header.RemainingMilliseconds, read.RemainingMilliseconds);
        Assert.Equal((header.ContractHash, header.LayoutFingerprint), (read.ContractHash, read.LayoutFingerprint));
        Assert.Equal(header.Headers.ToArray(), read.Headers.ToArray());
        Assert.Equal(body, read.Body.ToArray());
    }
}
