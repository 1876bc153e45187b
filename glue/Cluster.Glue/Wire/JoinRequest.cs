namespace Cluster.Glue.Wire;

/// <summary>Attaches a stream to a substream of a link that is open: as a further substream, or instead of a stream
/// that was cut or has grown old. Both sides then send again what the other one has not received.</summary>
/// <param name="Version">The protocol version agreed on when the link was opened.</param>
/// <param name="Link">The secret that the opener chose in its Hello.</param>
/// <param name="Substream">Which substream.</param>
/// <param name="ReceivedCount">Batches that the sender has received on the substream.</param>
internal sealed record JoinRequest(uint Version, LinkSecret Link, SubstreamRole Substream, ulong ReceivedCount)
{
    /// <summary>Of the join on its substream, where the link is authenticated; from 1.</summary>
    public ulong Number { get; init; }

    /// <summary>The proof of the side that opened the link, where it is authenticated; null: none.</summary>
    public byte[]? Proof { get; init; }

    public void Write(WireBuffer output)
    {
        output.WriteUInt32(GlueWire.HelloMagic);
        output.WriteVarint(Version);
        Link.Write(output);
        output.WriteByte((byte)Substream);
        output.WriteVarint(ReceivedCount);
        if (Proof is null)
            return;
        output.WriteVarint(Number);
        output.WriteBlock(Proof);
    }

    public static JoinRequest Read(ReadOnlySpan<byte> body)
    {
        var reader = new WireReader(body);
        Hello.CheckMagic(ref reader, "join");
        var version = (uint)reader.ReadLength(int.MaxValue, "protocol version");
        var link = LinkSecret.Read(ref reader);
        var substream = (SubstreamRole)reader.ReadByte("substream");
        if (!Enum.IsDefined(substream))
            throw new WireException($"join: substream {(byte)substream} is not known here.");
        var join = new JoinRequest(version, link, substream, reader.ReadVarint("join: batches received"));
        return reader.AtEnd
            ? join
            : join with
            {
                Number = reader.ReadVarint("join: number"),
                Proof = Hello.ReadHash(ref reader, "join: proof"),
            };
    }
}

/// <summary>What a substream of a link carries. Values are wire format.</summary>
internal enum SubstreamRole : byte
{
    /// <summary>Opens the link; heartbeats, cancellation, drain. Calls of peers that have no other substream.</summary>
    Control = 0,

    /// <summary>Calls and answers.</summary>
    Calls = 1,

    /// <summary>Calls and answers in chunks; opened when the first one needs it.</summary>
    Bulk = 2,
}
