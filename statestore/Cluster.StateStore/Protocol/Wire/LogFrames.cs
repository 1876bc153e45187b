using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Protocol.Wire;

/// <summary>The bytes of entries on their way to backups, and of the answers; and how far a primary has committed.
/// Stateless.</summary>
internal static class LogFrames
{
    private const int AppendItemBytesMin = 20;
    private const int AckItemBytesMin = 12;

    public static void Write(AppendFrame frame, FormatWriter to)
    {
        to.Varint((ulong)frame.Number);
        to.Varint((uint)frame.Items.Length);
        foreach (var item in frame.Items)
        {
            to.Varint((uint)item.Partition.Value);
            to.Varint((ulong)item.Epoch);
            to.UInt64(item.Previous.Value);
            to.UInt64(item.Committed.Value);
            to.Varint((ulong)item.Scan);
            to.Varint((uint)item.Entries.Length);
            foreach (var entry in item.Entries)
                to.Block(entry.Bytes.Span);
        }
    }

    public static void Write(AckFrame frame, FormatWriter to)
    {
        to.Varint((ulong)frame.Number);
        to.Varint((ulong)frame.TableVersion);
        to.Varint((uint)frame.Items.Length);
        foreach (var item in frame.Items)
        {
            to.Varint((uint)item.Partition.Value);
            to.Varint((ulong)item.Epoch);
            to.Byte((byte)item.Verdict);
            to.UInt64(item.Matched.Value);
            to.Varint((ulong)item.Scan);
        }
    }

    public static void Write(CommitAsk ask, FormatWriter to)
    {
        to.Varint((uint)ask.Partition.Value);
        to.Varint((ulong)ask.Epoch);
        to.UInt64((ulong)ask.SentAt);
    }

    public static void Write(CommitTold told, FormatWriter to)
    {
        Write(told.Ask, to);
        to.UInt64(told.Committed.Value);
        to.Varint((ulong)told.Time);
    }

    public static CommitAsk ReadCommitAsk(ref FrameReader input) =>
        new(input.Partition(), input.Epoch(), input.Clock());

    public static CommitTold ReadCommitTold(ref FrameReader input)
    {
        var (ask, committed) = (ReadCommitAsk(ref input), input.Entry());
        return committed.Epoch <= ask.Epoch
            ? new CommitTold(ask, committed, input.Int64())
            : throw input.Malformed($"entry {committed} in epoch {ask.Epoch}");
    }

    public static AppendFrame ReadAppend(ref FrameReader input)
    {
        var number = input.Int64();
        var count = input.Count(AppendItemBytesMin);
        var items = ImmutableArray.CreateBuilder<AppendItem>(count);
        for (var index = 0; index < count; index++)
            items.Add(ReadAppendItem(ref input));
        return new AppendFrame(number, items.MoveToImmutable());
    }

    public static AckFrame ReadAck(ref FrameReader input)
    {
        var (number, version) = (input.Int64(), input.Int64());
        var count = input.Count(AckItemBytesMin);
        var items = ImmutableArray.CreateBuilder<AckItem>(count);
        for (var index = 0; index < count; index++)
        {
            var (partition, epoch) = (input.Partition(), input.Epoch());
            var verdict = input.Flags((byte)AppendVerdict.Full);
            items.Add(new AckItem(partition, epoch, (AppendVerdict)verdict, input.Entry(), input.Int64()));
        }

        return new AckFrame(number, version, items.MoveToImmutable());
    }

    private static AppendItem ReadAppendItem(ref FrameReader input)
    {
        var (partition, epoch) = (input.Partition(), input.Epoch());
        var (previous, committed, scan) = (input.Entry(), input.Entry(), input.Int64());
        if (previous.Epoch > epoch || committed.Epoch > epoch)
            throw input.Malformed($"entries {previous} and {committed} in epoch {epoch}");
        var count = input.Count(LogEntryCodec.FixedBytes);
        var entries = ImmutableArray.CreateBuilder<LoggedEntry>(count);
        var last = previous;
        for (var index = 0; index < count; index++)
        {
            var bytes = input.Block();
            var id = LogEntryCodec.Read(bytes).Id;
            if (id <= last || id.Epoch > epoch)
                throw input.Malformed($"entry {id} after {last} in epoch {epoch}");
            entries.Add(new LoggedEntry(id, bytes));
            last = id;
        }

        return new AppendItem(partition, epoch, previous, committed, entries.MoveToImmutable()) { Scan = scan };
    }
}
