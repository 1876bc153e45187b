using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Logs;

/// <summary>The encoded form of log entries, the same in memory and on the wire. Normative in
/// <c>docs/formats/state-protocol.md</c>. Stateless.</summary>
internal static class LogEntryCodec
{
    /// <summary>The bytes of an entry beside key, value and result.</summary>
    public const int FixedBytes = 8 + 1 + 1 + 4 + 8 + 8 + 8 + 4 + 4 + 4;

    /// <summary>The bytes of a request id.</summary>
    public const int RequestBytes = 16 + 8 + 8;

    private const int TimeAt = 14;
    private const byte HasRequestFlag = 1;
    private const byte IsOperationFlag = 2;
    private const byte HasValueFlag = 4;

    /// <summary>Returns how many bytes an entry takes.</summary>
    public static int SizeOf(in LogEntry entry) => FixedBytes
        + (entry.Request is null ? 0 : RequestBytes)
        + entry.Key.Bytes.Length + entry.Value.Length + entry.Result.Length;

    /// <summary>Writes an entry.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="to">Exactly as many bytes as <see cref="SizeOf"/> tells.</param>
    public static void Write(in LogEntry entry, Span<byte> to)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(to, entry.Id.Value);
        to[8] = (byte)entry.Kind;
        to[9] = (byte)((entry.Request is null ? 0 : HasRequestFlag)
            | (entry.IsOperation ? IsOperationFlag : 0) | (entry.HasValue ? HasValueFlag : 0));
        BinaryPrimitives.WriteUInt32LittleEndian(to[10..], entry.Key.State);
        BinaryPrimitives.WriteInt64LittleEndian(to[TimeAt..], entry.Time);
        BinaryPrimitives.WriteInt64LittleEndian(to[22..], entry.Expiry);
        BinaryPrimitives.WriteUInt64LittleEndian(to[30..], entry.Version.Value);
        BinaryPrimitives.WriteInt32LittleEndian(to[38..], entry.Key.Bytes.Length);
        BinaryPrimitives.WriteInt32LittleEndian(to[42..], entry.Value.Length);
        BinaryPrimitives.WriteInt32LittleEndian(to[46..], entry.Result.Length);
        to = to[FixedBytes..];
        if (entry.Request is { } request)
        {
            request.Client.TryWriteBytes(to);
            BinaryPrimitives.WriteInt64LittleEndian(to[16..], request.Sequence);
            BinaryPrimitives.WriteInt64LittleEndian(to[24..], request.LowWater);
            to = to[RequestBytes..];
        }

        entry.Key.Bytes.Span.CopyTo(to);
        to = to[entry.Key.Bytes.Length..];
        entry.Value.Span.CopyTo(to);
        entry.Result.Span.CopyTo(to[entry.Value.Length..]);
    }

    /// <summary>Reads an entry, which refers to the bytes.</summary>
    /// <param name="bytes">One entry and nothing else.</param>
    /// <exception cref="StateFormatException">The bytes are no entry.</exception>
    public static LogEntry Read(ReadOnlyMemory<byte> bytes)
    {
        var from = bytes.Span;
        if (from.Length < FixedBytes)
            throw Malformed($"{from.Length} bytes are fewer than {FixedBytes}");
        var (kind, flags) = (from[8], from[9]);
        if (kind > (byte)EntryKind.Remember || flags > (HasRequestFlag | IsOperationFlag | HasValueFlag))
            throw Malformed($"kind {kind} or flags {flags} are unknown");
        var key = BinaryPrimitives.ReadInt32LittleEndian(from[38..]);
        var value = BinaryPrimitives.ReadInt32LittleEndian(from[42..]);
        var result = BinaryPrimitives.ReadInt32LittleEndian(from[46..]);
        var at = FixedBytes + ((flags & HasRequestFlag) != 0 ? RequestBytes : 0);
        if (key < 0 || value < 0 || result < 0 || (long)at + key + value + result != from.Length)
            throw Malformed($"key {key}, value {value} and result {result} do not fill {from.Length} bytes");
        return new LogEntry(
            new EntryId(BinaryPrimitives.ReadUInt64LittleEndian(from)),
            (EntryKind)kind,
            new StateKey(BinaryPrimitives.ReadUInt32LittleEndian(from[10..]), bytes.Slice(at, key)))
        {
            Time = BinaryPrimitives.ReadInt64LittleEndian(from[TimeAt..]),
            Expiry = BinaryPrimitives.ReadInt64LittleEndian(from[22..]),
            Version = new EntryId(BinaryPrimitives.ReadUInt64LittleEndian(from[30..])),
            Request = (flags & HasRequestFlag) != 0 ? ReadRequest(from[FixedBytes..]) : null,
            IsOperation = (flags & IsOperationFlag) != 0,
            HasValue = (flags & HasValueFlag) != 0,
            Value = bytes.Slice(at + key, value),
            Result = bytes.Slice(at + key + value, result),
        };
    }

    /// <summary>Reads the partition time of an entry that <see cref="Read"/> has taken before.</summary>
    public static long TimeOf(ReadOnlySpan<byte> entry) => BinaryPrimitives.ReadInt64LittleEndian(entry[TimeAt..]);

    private static RequestId ReadRequest(ReadOnlySpan<byte> from) => new(
        new Guid(from[..16]),
        BinaryPrimitives.ReadInt64LittleEndian(from[16..]),
        BinaryPrimitives.ReadInt64LittleEndian(from[24..]));

    private static StateFormatException Malformed(string text) => new($"Log entry: {text}.");
}
