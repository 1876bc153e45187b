namespace Cluster.Glue.Wire;

/// <summary>The settings of one side when a link opens (Hello and Welcome have the same body): protocol versions, node,
/// limits. Bytes after the known fields are skipped, so that later versions may add fields.</summary>
/// <param name="VersionLowest">Lowest protocol version spoken; in a Welcome, the version agreed on.</param>
/// <param name="VersionHighest">Highest protocol version spoken; in a Welcome, the version agreed on.</param>
/// <param name="Node">Node name and process incarnation.</param>
/// <param name="MaxMessageBytes">Largest message that the sender accepts, in bytes.</param>
/// <param name="MaxCallsInFlight">Calls that the sender lets its peer have under way.</param>
/// <param name="Link">The secret that the opener chose; a Welcome repeats it.</param>
/// <param name="ResumeWindow">How long the sender keeps a link whose stream was cut.</param>
internal sealed record Hello(
    uint VersionLowest,
    uint VersionHighest,
    NodeId Node,
    int MaxMessageBytes,
    int MaxCallsInFlight,
    LinkSecret Link,
    TimeSpan ResumeWindow)
{
    private const int NodeNameBytesMax = 1024;

    /// <summary>The bytes of a nonce and of a proof: the length of a SHA-256 hash.</summary>
    public const int HashBytes = 32;

    /// <summary>The random number of a side that gives a proof and asks its peer for one; null: it does
    /// neither.</summary>
    public byte[]? Nonce { get; init; }

    public void Write(WireBuffer output)
    {
        output.WriteUInt32(GlueWire.HelloMagic);
        output.WriteVarint(VersionLowest);
        output.WriteVarint(VersionHighest);
        output.WriteText(Node.Name ?? string.Empty);
        output.WriteGuid(Node.Incarnation);
        output.WriteVarint((ulong)MaxMessageBytes);
        output.WriteVarint((ulong)MaxCallsInFlight);
        Link.Write(output);
        output.WriteVarint((ulong)ResumeWindow.TotalMilliseconds);
        if (Nonce is not null)
            output.WriteBlock(Nonce);
    }

    public byte[] ToBytes()
    {
        var body = new WireBuffer(256, GlueLimits.HandshakeBytesMax);
        Write(body);
        var bytes = body.WrittenSpan.ToArray();
        body.Reset();
        return bytes;
    }

    public static Hello Read(ReadOnlySpan<byte> body)
    {
        var reader = new WireReader(body);
        CheckMagic(ref reader, "hello");
        return new Hello(
            (uint)reader.ReadLength(int.MaxValue, "lowest protocol version"),
            (uint)reader.ReadLength(int.MaxValue, "highest protocol version"),
            new NodeId(reader.ReadText(NodeNameBytesMax, "node name"), reader.ReadGuid("incarnation")),
            reader.ReadLength(int.MaxValue, "message limit"),
            reader.ReadLength(int.MaxValue, "calls in flight"),
            LinkSecret.Read(ref reader),
            TimeSpan.FromMilliseconds(reader.ReadLength(int.MaxValue, "resume window")))
        {
            Nonce = reader.AtEnd ? null : ReadHash(ref reader, "hello: nonce"),
        };
    }

    /// <summary>Reads a nonce or a proof; null: its block is empty.</summary>
    public static byte[]? ReadHash(ref WireReader reader, string what)
    {
        var bytes = reader.ReadBlock(what);
        if (bytes.IsEmpty)
            return null;
        return bytes.Length == HashBytes
            ? bytes.ToArray()
            : throw new WireException($"{what}: {bytes.Length} bytes instead of {HashBytes}.");
    }

    /// <summary>Checks the four bytes that begin each Glue handshake.</summary>
    public static void CheckMagic(ref WireReader reader, string what)
    {
        var magic = reader.ReadUInt32(what);
        if (magic != GlueWire.HelloMagic)
            throw new WireException($"{what}: starts with 0x{magic:x8} instead of \"GLUE\".");
    }

    /// <summary>The version to speak with this peer; null: there is no common version.</summary>
    public uint? AgreeOnVersion()
    {
        var highest = Math.Min(VersionHighest, GlueWire.ProtocolVersionHighest);
        return highest >= Math.Max(VersionLowest, GlueWire.ProtocolVersionLowest) ? highest : null;
    }
}
