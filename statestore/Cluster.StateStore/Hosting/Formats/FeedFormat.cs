using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>The payload of a reply to a watch. Normative in <c>docs/formats/state-messages.md</c>. Stateless.</summary>
internal static class FeedFormat
{
    private const string What = "Reply to a watch";
    private const int BegunBytesMin = 10;
    private const int ChangeBytesMin = 12;
    private const int HeadBytesMin = 9;

    /// <summary>Writes one change, as it stands in the list of changes.</summary>
    public static void Write(in FeedChange change, FormatWriter to)
    {
        to.Varint((uint)change.Index);
        to.Byte((byte)change.Kind);
        to.UInt64((ulong)change.Version);
        to.Block(change.Key.Span);
        to.Block(change.Value.Span);
    }

    /// <summary>Writes a payload.</summary>
    /// <param name="page">What it says, without the changes.</param>
    /// <param name="count">How many changes there are.</param>
    /// <param name="changes">The changes, written one after the other.</param>
    public static byte[] Write(FeedPage page, int count, ReadOnlySpan<byte> changes)
    {
        var to = new FormatWriter(
            changes.Length + (page.Served?.Length ?? 0) + (24 * (page.Begun.Length + page.Heads.Length + 1)));
        to.Varint((uint)page.Begun.Length);
        foreach (var (index, epoch, after) in page.Begun)
        {
            to.Varint((uint)index);
            to.Varint((ulong)epoch);
            to.UInt64(after.Value);
        }

        to.Varint((uint)count);
        to.Bytes(changes);
        to.Varint((uint)page.Heads.Length);
        foreach (var (index, until) in page.Heads)
        {
            to.Varint((uint)index);
            to.UInt64(until.Value);
        }

        to.Block(page.Served);
        return to.Written.ToArray();
    }

    /// <summary>Reads a payload, to which keys and values refer.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="partitionCount">The partitions of a set.</param>
    /// <exception cref="StateFormatException">The payload has another form.</exception>
    public static FeedPage Read(byte[] payload, int partitionCount)
    {
        var input = new FormatReader(payload, What);
        var begun = new (int, long, EntryId)[input.Count(payload.Length / BegunBytesMin, "partitions")];
        for (var at = 0; at < begun.Length; at++)
        {
            var index = input.Count(partitionCount - 1, "as a partition");
            begun[at] = (index, Epoch(ref input), new EntryId(input.UInt64()));
        }

        var changes = new FeedChange[input.Count(payload.Length / ChangeBytesMin, "changes")];
        for (var at = 0; at < changes.Length; at++)
            changes[at] = ReadChange(ref input, payload, partitionCount);
        var heads = new (int, EntryId)[input.Count(payload.Length / HeadBytesMin, "partitions")];
        for (var at = 0; at < heads.Length; at++)
            heads[at] = (input.Count(partitionCount - 1, "as a partition"), new EntryId(input.UInt64()));
        var served = payload.AsSpan(input.Block());
        if (!served.IsEmpty && served.Length != SizeOfServed(partitionCount))
            throw input.Malformed($"{served.Length} bytes for {partitionCount} partitions");
        input.End();
        return new FeedPage
        {
            Begun = [.. begun],
            Changes = [.. changes],
            Heads = [.. heads],
            Served = served.IsEmpty ? null : served.ToArray(),
        };
    }

    /// <summary>How many bytes have one bit for each partition.</summary>
    public static int SizeOfServed(int partitionCount) => (partitionCount + 7) / 8;

    private static FeedChange ReadChange(ref FormatReader input, byte[] payload, int partitionCount)
    {
        var index = input.Count(partitionCount - 1, "as a partition");
        var kind = (EntryKind)input.Byte();
        if (kind is not (EntryKind.Put or EntryKind.Remove or EntryKind.Expire))
            throw input.Malformed($"change {kind}");
        var version = (long)input.UInt64();
        var key = payload.AsMemory(input.Block());
        return new FeedChange(index, kind, version, key, payload.AsMemory(input.Block()));
    }

    private static long Epoch(ref FormatReader input)
    {
        var epoch = input.Varint();
        return epoch <= EntryId.EpochMax ? (long)epoch : throw input.Malformed($"epoch {epoch}");
    }
}
