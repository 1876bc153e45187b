using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Cases for references and items that a client is given and refuses.</summary>
internal static class DirectedStreams
{
    // What the entry of a reference and an Items envelope name.
    private const byte StreamId = 1;
    private const byte OtherId = 2;

    public static IEnumerable<DirectedCase> All() =>
    [
        new("reference 1: the message has 1", _ => ReadAsync(Handing([1, StreamId << 1]))),
        new($"stream {StreamId}: it was handed over before", _ => ReadAsync(
            Handing([2, StreamId << 1, StreamId << 1]))),
        new($"stream {StreamId}: more came than", _ => ReadAsync(Good(), new byte[DirectedBench.StreamWindowBytes + 1])),
        new("item: the stream ended within it", _ => ReadAsync(Good(), [5, 0xB1])),
        new("item length: longer than", _ => ReadAsync(Good(), [.. Enumerable.Repeat((byte)0x80, 11)])),
        new("item length: 268435455 is above", _ => ReadAsync(Good(), [0xff, 0xff, 0xff, 0x7f])),
    ];

    private static Task<string> ReadAsync(byte[] reply, params byte[] items) =>
        DirectedBench.ReadStreamAsync(
            callId => Frames.Envelope(EnvelopeKind.Reply, callId, reply),
            Frames.Of(
            [
                .. Frames.Envelope(EnvelopeKind.Items, StreamId, items),
                .. Frames.Envelope(EnvelopeKind.End, StreamId),
            ]));

    private static byte[] Good() => Handing([2, StreamId << 1, OtherId << 1]);

    /// <summary>A result with these references in front, which it refers to by their numbers.</summary>
    private static byte[] Handing(byte[] references)
    {
        var serializer = new ContractSerializer(
            ContractDescription.Of(typeof(IStreamProbes)), 1024 * 1024, configureTypes: null);
        var message = new WireBuffer(0, int.MaxValue);
        var pair = new StreamPair { First = AsyncEnumerable.Empty<int>(), Second = AsyncEnumerable.Range(0, 1) };
        serializer.Write(pair, message, new Numbers());
        return [GlueWire.ReferencesMark, .. references, .. message.WrittenSpan];
    }

    private sealed class Numbers : ISlimReferences
    {
        private int _next;

        public int Export(Type declared, object value) => _next++;

        public object Import(Type declared, int number) => throw new NotSupportedException();
    }
}
