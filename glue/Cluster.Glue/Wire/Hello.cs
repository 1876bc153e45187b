namespace Cluster.Glue.Wire;

/// <summary>What each side says of itself when a link opens (Hello and Welcome have the same body): protocol versions,
/// node, limits. Bytes after the known fields are skipped, so that later versions may add some.</summary>
/// <param name="VersionLowest">Lowest protocol version spoken; in a Welcome, the version agreed on.</param>
/// <param name="VersionHighest">Highest protocol version spoken; in a Welcome, the version agreed on.</param>
/// <param name="Node">Node name and process incarnation.</param>
/// <param name="MaxMessageBytes">Largest message that the sender accepts.</param>
/// <param name="MaxCallsInFlight">Calls that the sender lets its peer have under way.</param>
/// <param name="Link">Chosen by the opener; a Welcome repeats it.</param>
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

    /// <summary>Bytes of a random number, and of a proof: what SHA-256 gives.</summary>
    public const int HashBytes = 32;

    /// <summary>Random, of a side that proves itself and asks the same of its peer; null: it does not.</summary>
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

    /// <summary>Reads a random number or a proof; null where its block is empty.</summary>
    public static byte[]? ReadHash(ref WireReader reader, string what)
    {
        var bytes = reader.ReadBlock(what);
        if (bytes.IsEmpty)
            return null;
        return bytes.Length == HashBytes
            ? bytes.ToArray()
            : throw new WireException($"{what}: {bytes.Length} bytes instead of {HashBytes}.");
    }

    /// <summary>Reads the four bytes that tell a Glue handshake from anything else.</summary>
    public static void CheckMagic(ref WireReader reader, string what)
    {
        var magic = reader.ReadUInt32(what);
        if (magic != GlueWire.HelloMagic)
            throw new WireException($"{what}: starts with 0x{magic:x8} instead of \"GLUE\".");
    }

    /// <summary>The version to speak with this peer, or null when none is common.</summary>
    public uint? AgreeOnVersion()
    {
        var highest = Math.Min(VersionHighest, GlueWire.ProtocolVersionHighest);
        return highest >= Math.Max(VersionLowest, GlueWire.ProtocolVersionLowest) ? highest : null;
    }
}
