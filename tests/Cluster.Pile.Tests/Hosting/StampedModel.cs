using Cluster.Pile.Hosting;
using Cluster.Slim.Hosting;

namespace Cluster.Pile.Tests.Hosting;

/// <summary>What a table of stamped records has to contain. Keys have 4 to 40 bytes, also 8. A value follows from the
/// version in its stamp.</summary>
internal sealed class StampedModel
{
    private readonly Dictionary<int, (RecordStamp Stamp, int Length)> _records = [];

    public static byte[] KeyOf(int id)
    {
        var key = new byte[4 + (4 * (id % 10))];
        BitConverter.TryWriteBytes(key, id);
        return key;
    }

    public static int IdOf(ReadOnlySpan<byte> key) => BitConverter.ToInt32(key);

    public static ulong HashOf(byte[] key) => XxHash3.Hash(key, 0x5EED);

    /// <summary>Makes one change to the table and to the model, chosen by a number below 100.</summary>
    public void Change(StampedTable table, int id, int choice, int length, ulong version)
    {
        var key = KeyOf(id);
        if (choice < 50)
        {
            Expect(id, new RecordStamp(version, choice), length);
            table.Put(HashOf(key), key, new RecordStamp(version, choice), Piles.Payload(version, length), out _);
        }
        else if (choice < 80)
        {
            var isKnown = _records.TryGetValue(id, out var known);
            var stamp = known.Stamp with { Time = choice };
            if (isKnown)
                Expect(id, stamp, known.Length);
            Assert.Equal(isKnown, table.SetStamp(HashOf(key), key, stamp));
        }
        else
        {
            Assert.Equal(_records.Remove(id), table.Remove(HashOf(key), key));
        }
    }

    public void Expect(int id, RecordStamp stamp, int length) => _records[id] = (stamp, length);

    public void Check(StampedTable table)
    {
        Assert.Equal(_records.Count, table.Count);
        var buffer = new byte[100_000];
        foreach (var (id, (stamp, length)) in _records)
        {
            var key = KeyOf(id);
            Assert.True(table.TryReadStamp(HashOf(key), key, out var read, out var valueBytes), $"{id} is missing");
            Assert.Equal((stamp, length), (read, valueBytes));
            Assert.True(table.TryRead(HashOf(key), key, buffer, out var bytes));
            Assert.Equal((stamp, length), (RecordStamp.Read(buffer), bytes - RecordStamp.Bytes));
            Assert.True(Piles.IsPayload(buffer.AsSpan(RecordStamp.Bytes..bytes), stamp.Version), $"value of {id}");
        }
    }
}
