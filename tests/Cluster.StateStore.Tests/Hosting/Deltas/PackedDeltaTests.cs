using System.IO.Compression;
using Cluster.StateStore.Hosting.Deltas;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Tests.Hosting.Deltas;

/// <summary>The packed form of deltas, which another node may have damaged or made up.</summary>
public sealed class PackedDeltaTests
{
    private const int Seeds = 100;
    private const int Length = 7;

    [Fact]
    public void Unpack_OfEachPackedDelta_IsTheDelta()
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            var delta = EncodeOne(seed);
            Assert.Equal(delta, PackedDelta.Unpack(PackedDelta.Pack(delta)));
        }
    }

    /// <summary>As when twenty nodes of a large cluster are replaced: the entries name few members.</summary>
    [Fact]
    public void Pack_ManyEntriesOfFewMembers_TakesLittleMoreThanHalf()
    {
        var random = new Random(5);
        var before = ClusterTable.CreateEmpty(4_096);
        var after = before.StartSuccessor(Guid.NewGuid());
        for (var count = 0; count < 300; count++)
        {
            var partition = new PartitionId(random.Next(before.Partitions.Length));
            after = after.WithPartition(
                partition, PartitionEntry.Unowned.AssignFirst(SlotOf(random.Next(1_000)), SlotOf(random.Next(20))));
        }

        var history = new TableHistory();
        history.Add(before);
        history.Add(after);
        var delta = TableDeltaCodec.Encode(history.Find(before.Version, after.Version)!, SuccessorTables.ClusterId)!;
        Assert.InRange(PackedDelta.Pack(delta).Length, 1, delta.Length * 2 / 3);
    }

    [Fact]
    public void Unpack_CutOffOrFlipped_IsRefusedOrFailsTheChecksum()
    {
        var delta = EncodeOne(seed: 3);
        var packed = PackedDelta.Pack(delta);
        for (var length = 0; length < packed.Length; length++)
            Assert.Throws<StateFormatException>(() => PackedDelta.Unpack(packed.AsSpan(0, length)));
        for (var bit = 0; bit < packed.Length * 8; bit++)
        {
            var flipped = packed.ToArray();
            flipped[bit / 8] ^= (byte)(1 << (bit % 8));
            CheckRefusedOrSame(flipped, delta);
        }
    }

    [Fact]
    public void Unpack_MoreThanADeltaMayTake_IsRefused()
    {
        var packed = new byte[64 << 10];
        var content = new byte[64 << 20];
        Assert.True(BrotliEncoder.TryCompress(content, packed, out var length, quality: 4, window: 18));
        var refusal = Assert.Throws<StateFormatException>(() => PackedDelta.Unpack(packed.AsSpan(0, length)));
        Assert.Contains($"{TableDeltaCodec.MaxEncodedBytes}", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void IsSpokenBy_MemberOfTheVersionBefore_IsFalse()
    {
        var member = SuccessorTables.Chain(1, Length)[^1].Members[0];
        Assert.False(PackedDelta.IsSpokenBy(member with { Protocol = ProtocolVersion.WithBases }));
        Assert.True(PackedDelta.IsSpokenBy(member with { Protocol = ProtocolVersion.WithPackedDeltas }));
    }

    // A few bits of a Brotli stream mean nothing.
    private static void CheckRefusedOrSame(byte[] packed, byte[] delta)
    {
        try
        {
            var unpacked = PackedDelta.Unpack(packed);
            TableDeltaCodec.Decode(unpacked, SuccessorTables.ClusterId);
            Assert.Equal(delta, unpacked);
        }
        catch (StateFormatException)
        {
            // Refused.
        }
    }

    private static NodeSlot SlotOf(int number) => new((ushort)number);

    private static byte[] EncodeOne(int seed)
    {
        var tables = SuccessorTables.Chain(seed, Length);
        var history = new TableHistory();
        foreach (var table in tables)
            history.Add(table);
        var delta = history.Find(tables[0].Version, tables[^1].Version)!;
        return TableDeltaCodec.Encode(delta, SuccessorTables.ClusterId)!;
    }
}
