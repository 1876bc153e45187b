using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Hosting.Formats;

/// <summary>Fixes the stored bytes of docs/formats/cluster-table.md. The example of that page is the golden file
/// here.</summary>
public sealed class ClusterTableFormatTests
{
    // Written by hand from the page, except for the checksum.
    private const string Golden = "4354424C" + "0100" + "0201000000000000" + "00112233445566778899AABBCCDDEEFF"
        + "02" + "03532E41" + "03532E42"
        + "02"
        + "0100" + "01" + "00000001000200030405060708090A0B" + "0161" + "0A687474703A2F2F683A31" + "03683A32" + "020100"
        + "2C01" + "00" + "00000000000000000000000000000000" + "0162" + "0A687474703A2F2F683A33" + "03683A34" + "00"
        + "03"
        + "0000"
        + "1101" + "0100" + "0100"
        + "27AC02" + "2C01" + "01002C01" + "0200" + "C801"
        + "3B94650B9856B6E2";

    private static ClusterTable Example { get; } = new(
        258,
        new Guid("00112233-4455-6677-8899-aabbccddeeff"),
        [
            new(Slot(1), new NodeId("a", new Guid(1, 2, 3, [4, 5, 6, 7, 8, 9, 10, 11])), "http://h:1", "h:2",
                new(["S.B", "S.A"]), MemberState.Active),
            new(Slot(300), new NodeId("b", Guid.Empty), "http://h:3", "h:4", default, MemberState.Joining),
        ],
        [
            PartitionEntry.Unowned,
            new(new Epoch(1), Slot(1), new([Slot(1)]), null, 0),
            new(new Epoch(300), Slot(300), new([Slot(1), Slot(300)]), Slot(2), 200),
        ]);

    [Fact]
    public void Encode_Example_GivesTheGoldenBytes() =>
        Assert.Equal(Golden, Convert.ToHexString(ClusterTableCodec.Encode(Example)));

    [Fact]
    public void Decode_GoldenBytes_GivesTheExample()
    {
        var table = ClusterTableCodec.Decode(Convert.FromHexString(Golden));
        Assert.Equal((Example.Version, Example.ProposerNonce), (table.Version, table.ProposerNonce));
        Assert.Equal(Example.Members.ToArray(), table.Members.ToArray());
        Assert.Equal(Example.Partitions.ToArray(), table.Partitions.ToArray());
    }

    [Fact]
    [Trait("Case", "cluster-protocol")]
    public void Encode_RaisedProtocol_IsVersion6AndComesBack()
    {
        var members = Example.Members.Select(member => member with { Protocol = 2 });
        var table = Example with { Protocol = 2, Members = [.. members] };
        var encoded = ClusterTableCodec.Encode(table);
        Assert.StartsWith(
            "4354424C" + "0600" + Golden[12..60] + "02" + "00" + "00", Convert.ToHexString(encoded), StringComparison.Ordinal);
        var read = ClusterTableCodec.Decode(encoded);
        Assert.Equal(2, read.Protocol);
        Assert.Equal(table.Members.ToArray(), read.Members.ToArray());
    }

    [Fact]
    [Trait("Case", "cluster-protocol")]
    public void Encode_MemberWithAProtocol_ListsItAmongTheServices()
    {
        var members = Example.Members.Select(member => member with { Protocol = 2 });
        var encoded = ClusterTableCodec.Encode(Example with { Members = [.. members] });
        Assert.Equal(1, encoded[4]);
        Assert.Contains("Cluster.StateStore.Protocol/2", Encoding.UTF8.GetString(encoded), StringComparison.Ordinal);
        Assert.All(ClusterTableCodec.Decode(encoded).Members, member => Assert.Equal(2, member.Protocol));
        Assert.Equal(["S.B", "S.A"], Example.Members[0].Services);
        Assert.Equal(Example.Members[0].Services, ClusterTableCodec.Decode(encoded).Members[0].Services);
    }

    [Fact]
    public void Encode_EntryWithPlans_IsVersion4WithTheSlotsBehindTheEntry()
    {
        var inSync = new EquatableArray<NodeSlot>([Slot(1), Slot(2)]);
        var entry = new PartitionEntry(new Epoch(3), Slot(1), inSync, null, 0) { Next = Slot(2), Leaving = Slot(1) };
        var encoded = Convert.ToHexString(ClusterTableCodec.Encode(Example with { Partitions = [entry] }));
        Assert.StartsWith("4354424C" + "0400", encoded, StringComparison.Ordinal);
        Assert.Contains("01" + "2903" + "0100" + "01000200" + "03" + "0200" + "0100" + "00", encoded, StringComparison.Ordinal);
    }

    [Fact]
    public void Encode_SetsOfPartitions_IsVersion5WithTheSetsBeforeTheMembers()
    {
        var member = Example.Members[1] with { WantedBackups = new([0, 1, 3]) };
        var table = Example with
        {
            Members = [member],
            Partitions = [.. Enumerable.Repeat(PartitionEntry.Unowned, 4)],
            SetBackups = new([1, 0]),
            States = new([new StatePlacement(0x04030201, 1), new StatePlacement(0xFFFFFFFF, 0)]),
        };
        const string Expected = "4354424C" + "0500" + "0201000000000000" + "00112233445566778899AABBCCDDEEFF"
            + "02" + "01" + "00"
            + "02" + "01020304" + "01" + "FFFFFFFF" + "00"
            + "00" + "01"
            + "2C01" + "00" + "00000000000000000000000000000000" + "0162" + "0A687474703A2F2F683A33" + "03683A34"
            + "00" + "0B" + "00"
            + "04" + "0000" + "0000" + "0000" + "0000"
            + "00";
        var encoded = ClusterTableCodec.Encode(table);
        Assert.Equal(Expected, Convert.ToHexString(encoded)[..^16]);
        var decoded = ClusterTableCodec.Decode(encoded);
        Assert.Equal(
            (table.SetBackups, table.States, member),
            (decoded.SetBackups, decoded.States, Assert.Single(decoded.Members)));
    }

    [Fact]
    public void Encode_TableThatTellsOfDeaths_IsVersion2WithTheDeathsBehindThePartitions()
    {
        NodeDeath[] deaths =
        [
            new(new NodeId("a", new Guid(1, 2, 3, [4, 5, 6, 7, 8, 9, 10, 11])), "refused") { PartitionsLost = 300, EntriesLost = 127 },
            new(new NodeId("b", Guid.Empty), "left"),
        ];
        var encoded = ClusterTableCodec.Encode(Example with { Deaths = [.. deaths] });
        const string Told = "02"
            + "00000001000200030405060708090A0B" + "0161" + "0772656675736564" + "AC02" + "8001"
            + "00000000000000000000000000000000" + "0162" + "046C656674" + "00" + "00";
        var head = Golden[..8] + "0200" + Golden[12..^16];
        Assert.Equal(head + Told, Convert.ToHexString(encoded)[..^16]);
        Assert.Equal(deaths, ClusterTableCodec.Decode(encoded).Deaths.ToArray());
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public void Encode_MemberWithAPeerAddress_HasFormat3AndComesBack()
    {
        var members = Example.Members.SetItem(1, Example.Members[1] with { PeerAddress = "http://h:5" });
        var bytes = ClusterTableCodec.Encode(Example with { Members = members });
        var golden = Golden.Replace("4354424C0100", "4354424C0300", StringComparison.Ordinal)
            .Replace("03683A32" + "020100", "03683A32" + "00" + "020100", StringComparison.Ordinal)
            .Replace("03683A34" + "00", "03683A34" + "0A687474703A2F2F683A35" + "00", StringComparison.Ordinal);
        Assert.Equal(golden[..^16] + "00", Convert.ToHexString(bytes)[..^16]);
        Assert.Equal(members.ToArray(), ClusterTableCodec.Decode(bytes).Members.ToArray());
    }

    [Fact]
    public void MetaEncode_Example_GivesTheGoldenText() =>
        Assert.Equal(
            """{"format":1,"clusterId":"00112233-4455-6677-8899-aabbccddeeff","name":"shop","partitionCount":1024,"""
            + "\"hash\":\"xxh3-64\",\"hashSeed\":\"00000000000000ff\"}",
            Encoding.UTF8.GetString(ClusterMetaCodec.Encode(new ClusterMeta(Example.ProposerNonce, "shop", 1_024, 255, 1))));
}
