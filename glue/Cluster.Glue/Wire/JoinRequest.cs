namespace Cluster.Glue.Wire;

/// <summary>Attaches a stream to a substream of an open link: the first stream of the substream, or the next one after
/// a stream that was cut or has grown old. Both sides then send again the batches that the other side has not
/// received.</summary>
/// <param name="Version">The protocol version agreed on when the link was opened.</param>
/// <param name="Link">The secret that the opener chose in its Hello.</param>
/// <param name="Substream">The role of the substream.</param>
/// <param name="ReceivedCount">Batches that the sender has received on the substream.</param>
internal sealed record JoinRequest(uint Version, LinkSecret Link, SubstreamRole Substream, ulong ReceivedCount)
{
    /// <summary>The number of the join on its substream, from 1, if the link is authenticated.</summary>
    public ulong Number { get; init; }

    /// <summary>The proof of the side that opened the link; null: the link is not authenticated.</summary>
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

/// <summary>The role of a substream. Values are wire format.</summary>
internal enum SubstreamRole : byte
{
    /// <summary>The first substream: heartbeats, cancellation, drain. Also the calls of peers that have no other
    /// substream.</summary>
    Control = 0,

    /// <summary>Calls and answers.</summary>
    Calls = 1,

    /// <summary>Calls and answers in chunks; opened when the first large one is sent.</summary>
    Bulk = 2,
}
