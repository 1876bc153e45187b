using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Hosting.Formats;

public sealed class ClusterTableCodecTests
{
    [Fact]
    public void Encode_RandomTables_DecodeEqual()
    {
        for (var seed = 0; seed < 100; seed++)
        {
            var table = RandomTable(new Random(seed), partitionsMax: 64);
            CheckEqual(table, ClusterTableCodec.Decode(ClusterTableCodec.Encode(table)), seed);
        }
    }

    [Fact]
    public void Encode_LargestTable_FitsIntoOneConsulTransaction()
    {
        var members = Enumerable.Range(0, 100).Select(slot => Member(slot)).ToArray();
        var inSync = new EquatableArray<NodeSlot>([Slot(1), Slot(2), Slot(3), Slot(4)]);
        var entry = new PartitionEntry(new Epoch(2_000_000), Slot(1), inSync, Slot(5), 1_000);
        var table = Table(ClusterMeta.MaxPartitionCount, members) with
        {
            Partitions = [.. Enumerable.Repeat(entry, ClusterMeta.MaxPartitionCount)],
        };
        var encoded = ClusterTableCodec.Encode(table);
        Assert.InRange(encoded.Length, 1, ClusterTableCodec.MaxEncodedBytes);
        CheckEqual(table, ClusterTableCodec.Decode(encoded), 0);
    }

    [Fact]
    public void Encode_TableBeyondTheLimit_IsRefused()
    {
        var member = Member(1) with { Address = new string('a', ClusterTableCodec.MaxTextBytes) };
        var members = Enumerable.Range(0, 1_000).Select(slot => member with { Slot = Slot(slot) }).ToArray();
        Assert.Throws<StateFormatException>(() => ClusterTableCodec.Encode(Table(16_384, members)));
    }

    [Fact]
    public void Decode_EveryTruncation_IsRefused()
    {
        var encoded = ClusterTableCodec.Encode(RandomTable(new Random(1), 8));
        for (var length = 0; length < encoded.Length; length++)
            Assert.Throws<StateFormatException>(() => ClusterTableCodec.Decode(encoded.AsSpan(0, length)));
    }

    [Fact]
    public void Decode_EveryFlippedBit_IsRefused()
    {
        var encoded = ClusterTableCodec.Encode(RandomTable(new Random(2), 8));
        for (var bit = 0; bit < encoded.Length * 8; bit++)
        {
            encoded[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.Throws<StateFormatException>(() => ClusterTableCodec.Decode(encoded));
            encoded[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Fact]
    public void Decode_AnotherFormatVersion_SaysWhichIsExpected()
    {
        var encoded = ClusterTableCodec.Encode(Table(1));
        encoded[4] = 9;
        var error = Assert.Throws<StateFormatException>(() => ClusterTableCodec.Decode(encoded));
        Assert.Contains("format version 9 was found, 1 to 6 expected", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void MetaEncode_AnyMeta_DecodesEqual()
    {
        var meta = new ClusterMeta(Guid.NewGuid(), "shop \"1\"", 1_024, ulong.MaxValue - 1, 1);
        Assert.Equal(meta, ClusterMetaCodec.Decode(ClusterMetaCodec.Encode(meta)));
    }

    [Theory]
    [InlineData("", "not what this library writes")]
    [InlineData("{}", "not what this library writes")]
    [InlineData("[1]", "not what this library writes")]
    [InlineData("""{"format":2}""", "format version 2 was found, 1 expected")]
    [InlineData("""{"format":1,"hash":"md5"}""", "hash 'md5' is unknown")]
    [InlineData("""{"format":1,"hash":"xxh3-64","partitionCount":3}""", "3 is no partition count")]
    [InlineData("""{"format":1,"hash":"xxh3-64","partitionCount":4,"hashSeed":"zz"}""", "not what this library writes")]
    public void MetaDecode_BadInput_SaysWhy(string json, string reason)
    {
        var error = Assert.Throws<StateFormatException>(() => ClusterMetaCodec.Decode(Encoding.UTF8.GetBytes(json)));
        Assert.Contains(reason, error.Message, StringComparison.Ordinal);
    }

    internal static ClusterTable RandomTable(Random random, int partitionsMax)
    {
        var members = Enumerable.Range(0, random.Next(0, 6)).Select(slot => RandomMember(slot * 3, random));
        var entries = Enumerable.Range(0, random.Next(1, partitionsMax)).Select(_ => RandomEntry(random));
        var nonce = new byte[16];
        random.NextBytes(nonce);
        return new ClusterTable(random.NextInt64(1, long.MaxValue), new Guid(nonce), [.. members], [.. entries]);
    }

    private static ClusterMember RandomMember(int slot, Random random) => Member(slot) with
    {
        State = (MemberState)random.Next(4),
        Services = new([.. Enumerable.Range(0, random.Next(4)).Select(_ => $"Contract{random.Next(9)}").Distinct()]),
    };

    private static PartitionEntry RandomEntry(Random random)
    {
        if (random.Next(4) == 0)
            return PartitionEntry.Unowned;
        var slots = Enumerable.Range(0, random.Next(1, 5)).Select(_ => Slot(random.Next(65_536))).Distinct().ToArray();
        NodeSlot? joining = random.Next(2) == 0 ? null : Slot(random.Next(65_536));
        var epoch = new Epoch(random.NextInt64(1, 1L << random.Next(1, 62)));
        return new PartitionEntry(epoch, slots[0], new([.. slots]), joining, random.Next(3))
        {
            Next = random.Next(8) == 0 ? Slot(random.Next(65_536)) : null,
            Leaving = random.Next(8) == 0 ? slots[^1] : null,
        };
    }

    private static void CheckEqual(ClusterTable expected, ClusterTable actual, int seed)
    {
        Assert.True(expected.Members.SequenceEqual(actual.Members), $"members differ, seed {seed}");
        Assert.True(expected.Partitions.SequenceEqual(actual.Partitions), $"partitions differ, seed {seed}");
        Assert.Equal((expected.Version, expected.ProposerNonce), (actual.Version, actual.ProposerNonce));
    }
}
