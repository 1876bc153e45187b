using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;

namespace Cluster.SystemTests.Interop;

/// <summary>Composes messages by <c>docs/formats/glue-wire.md</c> for the stock gRPC programs of C#, without Glue's
/// code. Pure.</summary>
internal static class StockWire
{
    public const int UnknownMethod = 21;
    public const byte CallsLane = 1;
    public const int ChunkBytes = 60_000;

    private const byte Named = 0x40;
    private const int DeadlineMilliseconds = 30_000;
    private const int Version = 2;

    public static byte[] NoSecret { get; } = new byte[16];

    private static byte[] Magic => [.. "GLUE"u8];

    public static byte[] Varint(long value)
    {
        var bytes = new List<byte>();
        for (; value >= 0x80; value >>= 7)
            bytes.Add((byte)((value & 0x7F) | 0x80));
        return [.. bytes, (byte)value];
    }

    public static byte[] Block(byte[] bytes) => [.. Varint(bytes.Length), .. bytes];

    public static byte[] Text(string text) => Block(Encoding.UTF8.GetBytes(text));

    public static byte[] Envelope(StockKind kind, ulong callId, params byte[] body) =>
        [(byte)kind, .. Varint((long)callId), .. Block(body)];

    public static byte[] Request(ulong callId, int handle, byte[] body, StockKind kind = StockKind.Call) =>
        [(byte)kind, .. Varint((long)callId), .. Varint(handle), .. Varint(DeadlineMilliseconds), .. Block(body)];

    public static byte[] NamedRequest(ulong callId, byte[] hashes, byte[] body, StockKind kind = StockKind.Call) =>
        [
            (byte)((byte)kind | Named), .. Varint((long)callId), .. hashes, .. Varint(DeadlineMilliseconds), .. Block(body),
        ];

    public static BytesValue Batch(params byte[][] envelopes) => Batch(0, 0, envelopes);

    public static BytesValue Batch(int number, int receivedCount, params byte[][] envelopes) => new()
    {
        Value = ByteString.CopyFrom([1, .. Varint(number), .. Varint(receivedCount), .. envelopes.SelectMany(one => one)]),
    };

    /// <summary>The body of a Hello or Welcome.</summary>
    public static byte[] Hello(byte[] secret, int windowMilliseconds = 0, int version = Version) =>
    [
        .. Magic, .. Varint(version), .. Varint(version), .. Text("stock"), .. new byte[16], .. Varint(16 << 20),
        .. Varint(1000), .. secret, .. Varint(windowMilliseconds),
    ];

    /// <summary>Reads the secret from the body of a Hello.</summary>
    public static byte[] SecretOf(byte[] hello)
    {
        var reader = new StockReader(hello);
        Assert.Equal(Magic, reader.Take(4));
        Assert.Equal((Version, Version), (reader.Count(), reader.Count()));
        reader.Text();
        reader.Take(16);
        reader.Varint();
        reader.Varint();
        return reader.Take(16);
    }

    public static byte[] Join(byte[] secret, byte lane, int receivedCount) =>
        [.. Magic, .. Varint(Version), .. secret, lane, .. Varint(receivedCount)];

    /// <summary>The body of a Bind with all methods; their handles count from zero. No method needs a described
    /// type.</summary>
    public static byte[] Manifest(StockFacts facts) =>
    [
        .. Varint(0), .. Varint(1), .. Text(facts.Contract), .. Varint(0), .. Varint(facts.Names.Length),
        .. facts.Methods.SelectMany(method => (byte[])
        [
            .. Text(method.Key), .. Varint(1), .. method.Value.Signature, .. method.Value.Layout, .. Varint(0),
            .. Varint(method.Value.ArgumentCount), .. new byte[method.Value.ArgumentCount],
        ]),
    ];

    /// <summary>Splits an envelope with a large body into chunks. Each chunk needs its own batch.</summary>
    public static IEnumerable<byte[]> Chunks(ulong transfer, byte[] head, byte[] body) =>
        body.Chunk(ChunkBytes).Select(piece => Envelope(StockKind.Chunk, transfer, piece))
            .Prepend(Envelope(StockKind.Chunk, transfer, [.. Varint(body.Length), .. head]));

    public static byte[] ApplicationFault(string typeName, string message) =>
        [2, .. Varint(1), .. Text(typeName), .. Text(message), .. Text("at stock"), .. Varint(0), .. Block([])];
}
