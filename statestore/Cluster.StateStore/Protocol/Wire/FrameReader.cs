using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Wire;

/// <summary>Reads the numbers and identities of frames, and refuses impossible ones. Blocks of bytes are slices of the
/// frame. Lives on the stack of one reader.</summary>
/// <param name="bytes">The frame.</param>
/// <param name="partitionCount">The partitions of the cluster.</param>
internal ref struct FrameReader(ReadOnlyMemory<byte> bytes, int partitionCount)
{
    private readonly ReadOnlyMemory<byte> _bytes = bytes;
    private readonly int _partitionCount = partitionCount;
    private FormatReader _input = new(bytes.Span, "State frame");

    public byte Byte() => _input.Byte();

    public ushort UInt16() => _input.UInt16();

    public uint UInt32() => _input.UInt32();

    public Guid Guid() => _input.Guid();

    public string Text() => _input.Text(ClusterTableCodec.MaxTextBytes);

    public void End() => _input.End();

    public StateFormatException Malformed(string found) => _input.Malformed(found);

    /// <summary>Reads a number that is not negative.</summary>
    public long Int64()
    {
        var value = _input.Varint();
        return value <= long.MaxValue ? (long)value : throw Malformed($"a number of {value}");
    }

    /// <summary>Reads a time of the sender's clock, which can be negative.</summary>
    public long Clock() => (long)_input.UInt64();

    public PartitionId Partition() => new(_input.Count(_partitionCount - 1, "as a partition"));

    public NodeSlot Slot() => new(_input.UInt16());

    public long Epoch()
    {
        var epoch = Int64();
        return epoch <= EntryId.EpochMax ? epoch : throw Malformed($"epoch {epoch}");
    }

    public EntryId Entry() => new(_input.UInt64());

    /// <summary>Reads flags.</summary>
    /// <param name="flagsMax">The sum of all known flags.</param>
    public byte Flags(byte flagsMax)
    {
        var flags = Byte();
        return flags <= flagsMax ? flags : throw Malformed($"flags {flags}");
    }

    /// <summary>Reads how many items follow. Each has at least one byte, so a larger number is refused before memory
    /// is taken for the items.</summary>
    /// <param name="itemBytesMin">The fewest bytes of an item.</param>
    public int Count(int itemBytesMin) => _input.Count(_input.BytesLeft / itemBytesMin, "items");

    /// <summary>Reads a block; the memory is that of the frame.</summary>
    public ReadOnlyMemory<byte> Block() => _bytes[_input.Block()];
}
