using Cluster.Glue.Transport;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Wire;

/// <summary>The numbers of the protocol in one place; <c>docs/formats/glue-wire.md</c> is normative. Constants
/// only.</summary>
internal static class GlueWire
{
    /// <summary>First byte of a batch without an age. All versions read it, so that each can read the Hello of
    /// another.</summary>
    public const byte BatchForm = 1;

    /// <summary>First byte of a batch with an age: how long its calls have waited.</summary>
    public const byte AgedBatchForm = 2;

    /// <summary>Lowest and highest protocol version that this code speaks; the handshake agrees on one.</summary>
    public const uint ProtocolVersionLowest = 2;

    public const uint ProtocolVersionHighest = 2;

    /// <summary>First bytes of the Hello body: "GLUE".</summary>
    public const uint HelloMagic = 0x4555_4C47;

    /// <summary>Low five bits of an envelope's first byte.</summary>
    public const byte KindMask = 0x1F;

    /// <summary>A header block precedes the body.</summary>
    public const byte FlagHeaders = 0x20;

    /// <summary>The method is named by three hashes (8 bytes each) instead of a handle.</summary>
    public const byte FlagNamedMethod = 0x40;

    /// <summary>The call is for an object of the receiver, or was made during another call for which it waits: target
    /// and chain follow.</summary>
    public const byte FlagTarget = 0x80;

    /// <summary>First byte of a body with references: their count and entries follow, then the Slim message. No Slim
    /// message begins with this byte.</summary>
    public const byte ReferencesMark = 1;

    /// <summary>Lowest bit of an entry: the object belongs to the receiver.</summary>
    public const ulong OwnReference = 1;

    /// <summary>Contract hash, signature hash, layout fingerprint.</summary>
    public const int NamedMethodBytes = 24;

    /// <summary>The longest kind, call id, named method, target, chain, line, remaining time and body length
    /// together.</summary>
    public const int EnvelopeHeaderBytesMax = 1 + 10 + NamedMethodBytes + 10 + 10 + 10 + 10 + 5;

    /// <summary>The longest form, batch number, count of received batches and age together.</summary>
    public const int BatchHeadBytesMax = 1 + (2 * Varint.BytesMax) + 5;

    /// <summary>Room for the head before the envelopes of a batch.</summary>
    public const int Headroom = BatchHeadBytesMax;

    /// <summary>The bytes before a gRPC message: whether it is compressed, and its length.</summary>
    public const int GrpcPrefixBytes = 5;

    /// <summary>First byte of the gRPC prefix of a compressed message; it is zero otherwise.</summary>
    public const byte FlagCompressed = 1;

    /// <summary>Protobuf tag of field 1, length-delimited: the only field of BytesValue.</summary>
    public const byte BytesValueTag = 0x0A;

    /// <summary>The array of a full batch with its head: a length that the shared pool has.</summary>
    public const int BatchArrayBytes = 16 * 1024;

    /// <summary>The first array of a batch: enough for a few small calls.</summary>
    public const int SmallBatchArrayBytes = 512;

    /// <summary>The most bytes of envelopes in a batch. With its head, such a batch still fits one 16,384-byte DATA
    /// frame, the size that HttpClient never exceeds: prefix 5, tag 1, a two-byte varint (to 16,383), form 1, two
    /// numbers below 2^35, and an age below 2^28, which is three days.</summary>
    public const int BatchBytesMax = BatchArrayBytes - Headroom;

    /// <summary>The largest body that is sent inside its envelope; a larger body is sent in chunks.</summary>
    public const int WholeBodyBytesMax = 64 * 1024;

    /// <summary>The most bytes of a body in one chunk: with header and framing it fills four DATA frames, and one 64
    /// KiB array.</summary>
    public const int ChunkBytesMax =
        (64 * 1024) - GrpcPrefixBytes - BytesValue.HeadBytesMax - BatchHeadBytesMax - 1 - Varint.BytesMax - 5;

    /// <summary>Transfers of one side that may be open on a substream at the same time.</summary>
    public const int TransfersMax = 16;

    /// <summary>Largest payload of a stream: the largest body and the largest header block fit together.</summary>
    public const int PayloadBytesMax = 132 * 1024;

    public const string ServiceName = "glue.v1.Glue";
    public const string LinkName = "Link";
    public const string CallName = "Call";
    public const string ServicePath = "/" + ServiceName;
    public const string CallPath = ServicePath + "/" + CallName;

    /// <summary>The call id of a Drain that asks for a fresh link. The sender still takes calls on this link.</summary>
    public const ulong DrainToRenew = 1;

    /// <summary>The trailer of a unary request whose method was not begun; it comes with the gRPC status.</summary>
    public const string NotStartedHeader = "glue-not-started";

    /// <summary>The trailer with Glue's code of a unary request that authorization has refused.</summary>
    public const string RefusalHeader = "glue-refusal";

    /// <summary>Metadata of a unary request: the largest answer that its caller accepts.</summary>
    public const string MessageLimitHeader = "glue-message-bytes-max";

    public const string ContentType = "application/grpc";
}
