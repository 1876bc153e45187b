using Cluster.Slim.Hosting;
using Cluster.StateStore.Local;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Records;
using Cluster.StateStore.Tests.Local;

namespace Cluster.StateStore.Tests.Records;

/// <summary>Fixes the bytes of docs/formats/state-record.md.</summary>
public sealed class StateRecordFormatTests
{
    private const string Golden = "0807060504030201" + "1817161514131211" + "24232221" + "0300" + "6B6579" + "CAFE";

    [Fact]
    public void Start_KeyAndValue_GiveTheGoldenBytes()
    {
        var key = new StateKey(0x2122_2324, 0, "key"u8.ToArray());
        using var buffer = RecordBuffer.Start(key);
        buffer.Write(new byte[] { 0xCA, 0xFE });
        buffer.Stamp(0x0102_0304_0506_0708, 0x1112_1314_1516_1718);
        Assert.Equal(Golden, Convert.ToHexString(buffer.Bytes));
    }

    [Fact]
    public void Record_GoldenBytes_HasItsParts()
    {
        var record = new StateRecord(Convert.FromHexString(Golden));
        Assert.Equal((0x0102_0304_0506_0708, 0x1112_1314_1516_1718), (record.Version, record.ExpiryTicks));
        Assert.Equal(0x2122_2324u, record.StateId);
        Assert.Equal("key"u8.ToArray(), record.Key.ToArray());
        Assert.Equal([0xCA, 0xFE], record.Value.ToArray());
    }

    [Fact]
    public void IsWellFormed_TooShortOrKeyBeyondTheEnd_IsFalse()
    {
        var bytes = Convert.FromHexString(Golden);
        Assert.True(StateRecord.IsWellFormed(bytes));
        Assert.True(StateRecord.IsWellFormed(bytes.AsSpan(0, 25)));
        Assert.False(StateRecord.IsWellFormed(bytes.AsSpan(0, 24)));
        Assert.False(StateRecord.IsWellFormed(bytes.AsSpan(0, 21)));
        bytes[15] = 0x80;
        Assert.False(StateRecord.IsWellFormed(bytes));
    }

    [Fact]
    public void Ids_Names_AreTheirPinnedHashes()
    {
        Assert.Equal((uint)XxHash3.Hash("carts"u8), SimulatedCluster.Carts.Id);
        Assert.Equal(1_749_125_778u, SimulatedCluster.Carts.Id);
    }

    [Fact]
    public async Task Export_OneRecord_GivesLengthRecordAndChecksum()
    {
        await using var cluster = new SimulatedCluster(nodes: 1, partitions: 1);
        await cluster[0].Carts.PutAsync("key", new Cart());
        await cluster[0].Store.SealAsync(default, CancellationToken.None);
        var chunk = Assert.Single(cluster[0].Store.PartitionOf(default).OpenExport().Chunks(Guid.Empty, []));
        var record = chunk.Records.AsSpan(PartitionExport.LengthBytes);
        Assert.Equal(record.Length, BitConverter.ToInt32(chunk.Records));
        Assert.Equal("key"u8.ToArray(), new StateRecord(record).Key.ToArray());
        Assert.Equal(XxHash3.Hash(chunk.Records, 0), chunk.Checksum);
        Assert.Equal((1, 1L), (chunk.RecordCount, chunk.Totals!.RecordCount));
        Assert.Equal((1L << 40) + 1, chunk.Totals.LastVersion);
    }

    [Fact]
    public void Messages_Enumerations_KeepTheirNumbers()
    {
        Assert.Equal([1, 2, 3, 4, 5, 6], Enum.GetValues<StateVerb>().Select(verb => (int)verb));
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8], Enum.GetValues<StateReplyStatus>().Select(status => (int)status));
        Assert.Equal([0, 1, 2, 3], Enum.GetValues<ExpiryKind>().Select(kind => (int)kind));
        Assert.Equal([0, 1, 2, 3], Enum.GetValues<StateStore.Hosting.Tables.MemberState>().Select(state => (int)state));
    }
}
