using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>A case for each rule of <see cref="WireRules"/>: a feature that brings envelopes of its own adds a list of
/// them here.</summary>
internal static class DirectedCases
{
    // First handle, one name, no types, one method and its name.
    private static readonly byte[] Method = [0, 1, 1, 65, 0, 1, 1, 77];

    private static readonly byte[] Bomb = Frames.OfCompressedZeros(1 << 21);

    public static IReadOnlyList<DirectedCase> All { get; } =
    [
        .. Messages(), .. Envelopes(), .. Chunks(), .. Handshakes(), .. Bindings(), .. DirectedAnswers.All(), .. DirectedRequests.All(),
        .. DirectedStreams.All(),
    ];

    /// <summary>Sent over a link that is open: what is wrong with the messages.</summary>
    private static IEnumerable<DirectedCase> Messages() =>
    [
        Link("gRPC frame: compressed flag 1", 1, 0, 0, 0, 1, 1),
        new("messages compressed with 'deflate'", bench => bench.EncodedAsync("deflate")),
        new("gRPC frame: what is flagged as compressed is no gzip: it has 2 bytes", bench => bench.EncodedAsync("gzip", 1, 0, 0, 0, 2, 9, 9)),
        new("gRPC frame: what is flagged as compressed is no gzip", bench => bench.EncodedAsync("gzip", [1, 0, 0, 0, 30, .. new byte[30]])),
        new("gRPC frame: a compressed message becomes more", bench => bench.EncodedAsync("gzip", Bomb)),
        Link("gRPC frame: 1048576 bytes announced", 0, 0, 16, 0, 0, 1),
        Link("gRPC frame: the stream ended after 7 bytes", 0, 0, 0, 0, 9, 10, 1),
        Link("BytesValue: tag 0x08", Frames.OfMessage([8, 1])),
        Link("BytesValue: the length is cut short", Frames.OfMessage([10, 0x80])),
        Link("BytesValue: 5 bytes announced", Frames.OfMessage([10, 5, 1])),
        Link("batch form: 1 bytes", Frames.OfPayload([])),
        Link("batch form: 9 is not known", Frames.OfPayload([9])),
        Link("batch number: ", Frames.OfPayload([1])),
        Link("batches received: the number", Frames.OfPayload([1, 0])),
        Link("batch age: the number", Frames.OfPayload([2, 0, 0])),
        new("batches received: 5 are claimed", bench => bench.ResumableAsync(Frames.Of([6, 0, 0], number: 1, received: 5))),
    ];

    private static IEnumerable<DirectedCase> Envelopes() =>
    [
        Link("envelope kind: 0x1f", Frames.Of([31, 0, 0])),
        Link("envelope kind: 0x43 names what is called", Frames.Of([0x43, 0, 0])),
        Link("envelope kind: Welcome is not expected", Frames.Of(Frames.Envelope(EnvelopeKind.Welcome))),
        Link("call id: ", Frames.Of([3])),
        Link("contract hash: ", Frames.Of([0x41, 1, 0])),
        Link("signature hash: ", Frames.Of([0x41, 1, .. new byte[8]])),
        Link("layout fingerprint: ", Frames.Of([0x41, 1, .. new byte[16]])),
        Link("method handle: ", Frames.Of([1, 1])),
        Link("target: ", Frames.Of([0x81, 1, 0])),
        Link("chain: ", Frames.Of([0x81, 1, 0, 0])),
        Link("line: ", Frames.Of([23, 1, 0])),
        Link("remaining time: ", Frames.Of([1, 1, 0])),
        Link("headers: ", Frames.Of([0x23, 1, 5])),
        Link("body: ", Frames.Of([3, 1, 5])),
        Link("credit in items: ", Frames.Of(Frames.Envelope(EnvelopeKind.Credit, 1))),
        Link("credit in bytes: ", Frames.Of(Frames.Envelope(EnvelopeKind.Credit, 1, [1]))),
        Link("references: ", Frames.Of(Frames.Envelope(EnvelopeKind.Release, 1))),
        Link("open substream: 2 cannot be asked for", Frames.Of(Frames.Envelope(EnvelopeKind.OpenSubstream, 2))),
    ];

    private static IEnumerable<DirectedCase> Chunks() =>
    [
        Chunk("length of a transfer (MaxMessageBytes): ", (1, [])),
        Chunk("chunk: a transfer without body", (1, [0])),
        Chunk("chunk: a Ping is never that large", (1, [5, 6, 0])),
        Chunk("chunk: 1 bytes follow the head of a Reply", (1, [5, 3, 0, 9])),
        Chunk("chunk: 3 bytes of a transfer that announced 2", (1, [2, 3, 0]), (1, [7, 7, 7])),
        Chunk("chunk: transfer 2 has ended, 3 was begun last", (3, [2, 3, 0]), (2, [1])),
        Chunk("chunk: 65536 bytes do not fit", [.. Enumerable.Range(1, 3).Select(id => ((ulong)id, Long))]),
        Chunk("chunk: 16 transfers are under way", [.. Enumerable.Range(1, 17).Select(id => ((ulong)id, new byte[] { 2, 3, 0 }))]),
    ];

    private static IEnumerable<DirectedCase> Handshakes()
    {
        var hello = Frames.Hello();
        var join = Frames.Join(new byte[16], 1, 0);
        byte[] both = [.. Frames.Envelope(EnvelopeKind.Hello, 0, hello), .. Frames.Envelope(EnvelopeKind.Ping)];
        return
        [
            First("handshake: the stream ended", []),
            First("envelope kind: 1 bytes", Frames.OfPayload([1, 0, 0])),
            First("handshake: Ping instead of Hello or Join", Frames.Of(Frames.Envelope(EnvelopeKind.Ping))),
            First("handshake: more follows Hello", Frames.Of(both)),
            Opening("hello: 4 bytes", EnvelopeKind.Hello, hello[..3]),
            Opening("join: 4 bytes", EnvelopeKind.Join, join[..3]),
            Opening("hello: starts with", EnvelopeKind.Hello, "HTTP/1.1"u8.ToArray()),
            // Magic, versions, node name, incarnation, limits, secret, window: 4, 1, 1, 4, 16, 3, 2, 16 and 1 byte.
            Opening("lowest protocol version: ", EnvelopeKind.Hello, hello[..4]),
            Opening("highest protocol version: ", EnvelopeKind.Hello, hello[..5]),
            Opening("node name: ", EnvelopeKind.Hello, hello[..6]),
            Opening("incarnation: ", EnvelopeKind.Hello, hello[..10]),
            Opening("message limit: ", EnvelopeKind.Hello, hello[..26]),
            Opening("calls in flight: ", EnvelopeKind.Hello, hello[..29]),
            Opening("link secret: ", EnvelopeKind.Hello, hello[..31]),
            Opening("resume window: ", EnvelopeKind.Hello, hello[..47]),
            Opening("Glue protocol versions 7 to 9", EnvelopeKind.Hello, Frames.Hello(lowest: 7, highest: 9)),
            Opening("protocol version: ", EnvelopeKind.Join, join[..4]),
            Opening("substream: ", EnvelopeKind.Join, join[..21]),
            Opening("join: substream 77", EnvelopeKind.Join, Frames.Join(new byte[16], 77, 0)),
            Opening("join: batches received: ", EnvelopeKind.Join, join[..22]),
            Opening("this server has no such link", EnvelopeKind.Join, join),
            Opening("hello: nonce: ", EnvelopeKind.Hello, [.. hello, 9]),
            Opening("hello: nonce: 3 bytes instead of 32", EnvelopeKind.Hello, [.. hello, 3, 1, 2, 3]),
            Opening("join: number: ", EnvelopeKind.Join, [.. join, 0x80]),
            Opening("join: proof: ", EnvelopeKind.Join, [.. join, 1, 9]),
            new("hello: a link with this secret", async bench =>
            {
                var secret = bench.NextSecret();
                await bench.ResumableAsync([], secret);
                return await bench.ResumableAsync([], secret);
            }),
        ];
    }

    private static IEnumerable<DirectedCase> Bindings() =>
    [
        Bind("first handle: "),
        Bind("name count: ", 0),
        Bind("contract name: ", 0, 1),
        Bind("type count: ", 0, 1, 1, 65),
        Bind("type description: ", 0, 1, 1, 65, 1, 9),
        Bind("method count: ", 0, 1, 1, 65, 0),
        Bind("method name: ", 0, 1, 1, 65, 0, 1, 5),
        Bind("signature hash count: ", 0, 1, 1, 65, 0, 1, 1, 77),
        Bind("bound signature hash: ", 0, 1, 1, 65, 0, 1, 1, 77, 1),
        Bind("bound layout fingerprint: ", [.. Method, 1, .. new byte[8]]),
        Bind("type argument count: ", [.. Method, 1, .. new byte[16]]),
        Bind("type argument: ", [.. Method, 1, .. new byte[16], 1, 9]),
        Bind("argument count: ", [.. Method, 1, .. new byte[16], 0]),
        Bind("argument type: ", [.. Method, 1, .. new byte[16], 0, 1, 9]),
        Bind("bind: handle 5 instead of 0", 5, 1, 1, 65, 0, 0),
    ];

    private static DirectedCase First(string says, byte[] body) => new(says, bench => bench.RequestAsync(body));

    private static DirectedCase Opening(string says, EnvelopeKind kind, byte[] body) =>
        First(says, Frames.Of(Frames.Envelope(kind, 0, body)));

    private static DirectedCase Link(string says, params byte[] frames) => new(says, bench => bench.LinkAsync(frames));

    // The first chunk of a transfer of the largest size.
    private static byte[] Long => [.. Frames.Varint(1 << 16), 3, 0];

    private static DirectedCase Chunk(string says, params (ulong Id, byte[] Body)[] chunks) =>
        Link(
            says,
            Frames.Of([.. chunks.SelectMany(chunk => Frames.Envelope(EnvelopeKind.Chunk, chunk.Id, chunk.Body))]));

    private static DirectedCase Bind(string says, params byte[] body) =>
        Link(says, Frames.Of(Frames.Envelope(EnvelopeKind.Bind, 0, body)));
}
