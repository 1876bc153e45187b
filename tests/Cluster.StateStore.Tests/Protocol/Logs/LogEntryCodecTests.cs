using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Tests.Protocol.Logs;

/// <summary>Fixes the bytes of docs/formats/state-protocol.md.</summary>
public sealed class LogEntryCodecTests
{
    private const string Golden = "0700000000030000" + "02" + "07" + "05000000" + "0A00000000000000" + "1400000000000000"
        + "0600000000030000" + "01000000" + "02000000" + "03000000"
        + "00112233445566778899AABBCCDDEEFF" + "0900000000000000" + "0800000000000000" + "4B" + "5657" + "525354";

    private static LogEntry Example { get; } =
        new(EntryId.Of(3, 7), EntryKind.Touch, new StateKey(5, "K"u8.ToArray()))
        {
            Time = 10,
            Expiry = 20,
            Version = EntryId.Of(3, 6),
            Request = new RequestId(new Guid(Convert.FromHexString("00112233445566778899AABBCCDDEEFF")), 9, 8),
            IsOperation = true,
            HasValue = true,
            Value = "VW"u8.ToArray(),
            Result = "RST"u8.ToArray(),
        };

    [Fact]
    public void Write_Example_GivesTheGoldenBytes() => Assert.Equal(Golden, Convert.ToHexString(Written(Example)));

    [Fact]
    public void Read_GoldenBytes_GivesTheExample()
    {
        var entry = LogEntryCodec.Read(Convert.FromHexString(Golden));
        Assert.Equal(
            (Example.Id, Example.Kind, Example.Key, Example.Time, Example.Expiry, Example.Version, Example.Request),
            (entry.Id, entry.Kind, entry.Key, entry.Time, entry.Expiry, entry.Version, entry.Request));
        Assert.True(entry is { IsOperation: true, HasValue: true });
        Assert.Equal("VW"u8.ToArray(), entry.Value.ToArray());
        Assert.Equal("RST"u8.ToArray(), entry.Result.ToArray());
    }

    [Fact]
    public void Read_EveryTruncationAndEveryAddedByte_IsRefused()
    {
        var bytes = Convert.FromHexString(Golden);
        for (var length = 0; length < bytes.Length; length++)
            Assert.Throws<StateFormatException>(() => LogEntryCodec.Read(bytes.AsMemory(0, length)));
        Assert.Throws<StateFormatException>(() => LogEntryCodec.Read((byte[])[.. bytes, 0]));
    }

    [Theory]
    [InlineData(8, 5)]
    [InlineData(9, 8)]
    [InlineData(39, 0x80)]
    [InlineData(43, 0x7F)]
    public void Read_UnknownKindFlagOrLength_IsRefused(int at, byte value)
    {
        var bytes = Convert.FromHexString(Golden);
        bytes[at] = value;
        Assert.Throws<StateFormatException>(() => LogEntryCodec.Read(bytes));
    }

    private static byte[] Written(in LogEntry entry)
    {
        var bytes = new byte[LogEntryCodec.SizeOf(entry)];
        LogEntryCodec.Write(entry, bytes);
        return bytes;
    }
}
