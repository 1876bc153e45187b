using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Storage;
using Cluster.StateStore.Protocol.Wire;
using Xunit.Abstractions;

namespace Cluster.StateStore.Tests.Protocol.Wire;

/// <summary>Fixes the bytes of frames in docs/formats/state-protocol.md.</summary>
public sealed class FrameCodecTests(ITestOutputHelper output)
{
    private const string HeaderHex = "11111111222233334444555555555555" + "66666666777788889999AAAAAAAAAAAA"
        + "BBBBBBBBCCCCDDDDEEEEFFFFFFFFFFFF";

    public static TheoryData<int> Kinds => [.. Enum.GetValues<FrameKind>().Select(kind => (int)kind)];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void RandomFrames_ComeBackAsTheyWere(int kind)
    {
        var random = new Random(kind);
        for (var round = 0; round < 500; round++)
        {
            var frame = SampleFrames.Draw((FrameKind)kind, random);
            var (header, read) = FrameCodec.Read(Written(frame), SampleFrames.PartitionCount);
            Assert.Equal(SampleFrames.Header, header);
            Assert.Equal(SampleFrames.Describe(frame), SampleFrames.Describe(read));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void FrameThatIsCutOffOrContinues_IsRefused(int kind)
    {
        var random = new Random(kind);
        for (var round = 0; round < 20; round++)
        {
            var bytes = Written(SampleFrames.Draw((FrameKind)kind, random));
            for (var length = 0; length < bytes.Length; length++)
                Assert.Throws<StateFormatException>(() => Read(bytes.AsMemory(0, length)));
            Assert.Throws<StateFormatException>(() => Read(new byte[bytes.Length + 1]));
            Assert.Throws<StateFormatException>(() => Read((byte[])[.. bytes, 0]));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void FrameWithOneChangedBit_IsRefused(int kind)
    {
        var random = new Random(kind);
        var bytes = Written(SampleFrames.Draw((FrameKind)kind, random));
        for (var bit = 0; bit < 8 * bytes.Length; bit++)
        {
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.Throws<StateFormatException>(() => Read(bytes));
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
        }

        Read(bytes);
    }

    // A hostile node writes checksums that fit. Its frame may be valid. It never causes another exception, nor more
    // memory than the frame is worth.
    [Theory]
    [MemberData(nameof(Kinds))]
    public void FrameWithChangedBytes_IsReadOrRefused(int kind)
    {
        var (random, refused) = (new Random(kind), 0);
        for (var round = 0; round < 3_000; round++)
        {
            var bytes = Written(SampleFrames.Draw((FrameKind)kind, random));
            for (var change = random.Next(1, 4); change > 0; change--)
                bytes[random.Next(bytes.Length - FrameCodec.ChecksumBytes)] = (byte)random.Next(256);
            Seal(bytes);
            var before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                Read(bytes);
            }
            catch (StateFormatException)
            {
                refused++;
            }

            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 20_000 + (200L * bytes.Length));
        }

        output.WriteLine($"{(FrameKind)kind}: {refused} of 3,000 were refused");
        Assert.True(refused > 0);
    }

    [Fact]
    public void ImpossibleNumbers_AreRefused_AndNamed()
    {
        CheckRefused(new CopyAsk(new PartitionId(SampleFrames.PartitionCount), 1, 1), "1024 as a partition");
        CheckRefused(new CopyAsk(new PartitionId(1), 1L << 24, 1), "epoch 16777216");
        CheckRefused(new Proposal(1, [new Wish(new PartitionId(1), (PartitionChange)99, new NodeSlot(1), 1)]), "change 99");
        CheckRefused(new AckFrame(1, 1, [new AckItem(new PartitionId(1), 1, (AppendVerdict)7, default, 0)]), "flags 7");
        CheckRefused(new DeathReport(new NodeId("", Guid.NewGuid()), "proof"), "without a name");
        var (late, early) = (Entry(EntryId.Of(3, 2)), Entry(EntryId.Of(3, 1)));
        CheckRefused(Append(3, late, early), "entry 3.1 after 3.2 in epoch 3");
        CheckRefused(Append(2, late), "entry 3.2 after 0.0 in epoch 2");
        CheckRefused(Append(3, previous: EntryId.Of(4, 1), default), "entries 4.1 and 0.0 in epoch 3");
        CheckRefused(Append(3, default, committed: EntryId.Of(4, 1)), "entries 0.0 and 4.1 in epoch 3");
    }

    [Fact]
    public void DeathReport_LongProof_ArrivesCut()
    {
        var report = new DeathReport(new NodeId("n1", Guid.NewGuid()), new string('\u2026', 1_000));
        var (_, read) = FrameCodec.Read(Written(report), SampleFrames.PartitionCount);
        Assert.Equal(report, read);
        Assert.Equal(NodeDeath.MaxProofLength, report.Proof.Length);
    }

    [Fact]
    public void OtherVersionOrKind_IsRefused()
    {
        var bytes = Written(new TableHint(5));
        bytes[0] = 2;
        Assert.Contains("format version 2 was found, 1 expected", Refusal(bytes), StringComparison.Ordinal);
        (bytes[0], bytes[1]) = (1, 17);
        Seal(bytes);
        Assert.Contains("frame kind 17", Refusal(bytes), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Golden))]
    public void Frame_HasTheseBytes(string name, string body)
    {
        var frame = name switch
        {
            "beacon" => new Beacon(10, 300, [new NodeSlot(2)]) { IsCoordinator = true },
            "beacon ack" => new BeaconAck(10, 300, [new PartitionId(200)]),
            "hint" => new TableHint(300),
            "proposal" => new Proposal(300, [new Wish(new PartitionId(1), PartitionChange.Join, new NodeSlot(2), 3)]),
            "death" => new DeathReport(new NodeId("n1", SampleFrames.Header.Sender), "p"),
            "member" => new MemberAsk(new ClusterMember(
                new NodeSlot(2), new NodeId("n1", SampleFrames.Header.Sender), "a", "b", new(["s"]), MemberState.Active)
            {
                WantedBackups = new([0, 2]),
            })
            {
                States = new([new StatePlacement(0x04030201, 2)]),
            },
            "append" => new AppendFrame(7, [new AppendItem(new PartitionId(1), 3, EntryId.Of(3, 1), default, []) { Scan = 4 }]),
            "ack" => new AckFrame(7, 300, [new AckItem(new PartitionId(1), 3, AppendVerdict.Gap, EntryId.Of(3, 1), 4)]),
            "copy ask" => new CopyAsk(new PartitionId(1), 3, 5),
            "copy ask with base" => new CopyAsk(new PartitionId(1), 3, 5) { Base = new BaseMark(EntryId.Of(3, 1), 300) },
            "commit ask" => new CommitAsk(new PartitionId(1), 3, 10),
            "commit told" => new CommitTold(new CommitAsk(new PartitionId(1), 3, 10), EntryId.Of(3, 1), 300),
            "difference" => new CopyChunk(new CopyAsk(new PartitionId(1), 3, 5), 6, 0, EntryId.Of(3, 1), [])
            {
                IsLast = true,
                IsDifference = true,
                Time = 10,
            },
            "base refused" => new CopyChunk(new CopyAsk(new PartitionId(1), 3, 5), 0, 0, default, [])
            {
                IsBaseRefused = true,
            },
            "copy ack" => new CopyAck(new CopyAsk(new PartitionId(1), 3, 5), 6, 7),
            _ => (object)new CopyChunk(
                new CopyAsk(new PartitionId(1), 3, 5),
                6,
                7,
                EntryId.Of(3, 1),
                [new RecordImage(new StateKey(8, "K"u8.ToArray()), EntryId.Of(3, 1), 9, "V"u8.ToArray())])
            {
                IsLast = true,
                Time = 10,
                Requests = [new RequestImage(SampleFrames.Header.Sender, 1, 2, [(3, "A"u8.ToArray())])],
            },
        };
        var bytes = Written(frame);
        var written = Convert.ToHexString(bytes);
        Assert.Equal("01", written[..2]);
        Assert.Equal(HeaderHex, written[4..100]);
        Assert.Equal(body, written[2..4] + written[100..^(2 * FrameCodec.ChecksumBytes)]);
        Assert.Equal(XxHash3.Hash(bytes.AsSpan()[..^8]), BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan()[^8..]));
    }

    public static TheoryData<string, string> Golden => new()
    {
        { "beacon", "01" + "0A00000000000000" + "AC02" + "01" + "01" + "0200" },
        { "beacon ack", "02" + "0A00000000000000" + "AC02" + "01" + "C801" },
        { "hint", "03" + "AC02" },
        { "proposal", "04" + "AC02" + "01" + "01" + $"{(byte)PartitionChange.Join:X2}" + "0200" + "03" },
        {
            "member",
            "05" + "0200" + "026E31" + "66666666777788889999AAAAAAAAAAAA" + $"{(byte)MemberState.Active:X2}"
                + "0161" + "0162" + "00" + "05" + "01" + "0173" + "01" + "01020304" + "02"
        },
        { "death", "06" + "026E31" + "66666666777788889999AAAAAAAAAAAA" + "0170" },
        { "append", "07" + "07" + "01" + "01" + "03" + "0100000000030000" + "0000000000000000" + "04" + "00" },
        { "ack", "08" + "07" + "AC02" + "01" + "01" + "03" + "01" + "0100000000030000" + "04" },
        { "copy ask", "09" + "01" + "03" + "05" },
        { "copy ask with base", "10" + "01" + "03" + "05" + "0100000000030000" + "AC02" },
        { "difference", "0A" + "01" + "03" + "05" + "06" + "00" + "0100000000030000" + "03" + "0A" + "00" + "00" },
        { "base refused", "0A" + "01" + "03" + "05" + "00" + "00" + "0000000000000000" + "04" + "00" + "00" + "00" },
        {
            "copy chunk",
            "0A" + "01" + "03" + "05" + "06" + "07" + "0100000000030000" + "01" + "0A"
                + "01" + "08000000" + "0100000000030000" + "09" + "014B" + "0156"
                + "01" + "66666666777788889999AAAAAAAAAAAA" + "01" + "02" + "01" + "03" + "0141"
        },
        { "copy ack", "0B" + "01" + "03" + "05" + "06" + "07" },
        { "commit ask", "0C" + "01" + "03" + "0A00000000000000" },
        { "commit told", "0D" + "01" + "03" + "0A00000000000000" + "0100000000030000" + "AC02" },
    };

    private static AppendFrame Append(long epoch, params LoggedEntry[] entries) =>
        new(1, [new AppendItem(new PartitionId(1), epoch, default, default, [.. entries])]);

    private static AppendFrame Append(long epoch, EntryId previous, EntryId committed) =>
        new(1, [new AppendItem(new PartitionId(1), epoch, previous, committed, [])]);

    private static LoggedEntry Entry(EntryId id)
    {
        var entry = new LogEntry(id, EntryKind.Put, new StateKey(0, "k"u8.ToArray()));
        var bytes = new byte[LogEntryCodec.SizeOf(entry)];
        LogEntryCodec.Write(entry, bytes);
        return new LoggedEntry(id, bytes);
    }

    private static void CheckRefused(object frame, string part) =>
        Assert.Contains(part, Refusal(Written(frame)), StringComparison.Ordinal);

    private static string Refusal(byte[] bytes) => Assert.Throws<StateFormatException>(() => Read(bytes)).Message;

    private static void Read(ReadOnlyMemory<byte> bytes) => FrameCodec.Read(bytes, SampleFrames.PartitionCount);

    // Makes the checksum fit.
    private static void Seal(byte[] bytes)
    {
        var content = bytes.AsSpan()[..^FrameCodec.ChecksumBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan()[content.Length..], XxHash3.Hash(content));
    }

    private static byte[] Written(object frame)
    {
        var writer = new FormatWriter(256);
        FrameCodec.Write(SampleFrames.Header, frame, writer);
        return writer.Written.ToArray();
    }
}
