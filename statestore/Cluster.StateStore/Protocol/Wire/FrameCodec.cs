using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Protocol.Wire;

/// <summary>The bytes of frames between nodes. Normative in <c>docs/formats/state-protocol.md</c>. Stateless.</summary>
internal static class FrameCodec
{
    /// <summary>The version of the format.</summary>
    public const byte FormatVersion = 1;

    /// <summary>The bytes of a header.</summary>
    public const int HeaderBytes = 2 + (3 * 16);

    /// <summary>The bytes of the checksum at the end.</summary>
    public const int ChecksumBytes = sizeof(ulong);

    /// <summary>Writes a frame.</summary>
    /// <param name="header">Between whom it travels.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="to">Gets the bytes; empty before.</param>
    public static void Write(in FrameHeader header, object frame, FormatWriter to)
    {
        to.Byte(FormatVersion);
        to.Byte((byte)KindOf(frame));
        to.Guid(header.Cluster);
        to.Guid(header.Sender);
        to.Guid(header.Receiver);
        switch (frame)
        {
            case AppendFrame append:
                LogFrames.Write(append, to);
                break;
            case AckFrame ack:
                LogFrames.Write(ack, to);
                break;
            case CommitAsk ask:
                LogFrames.Write(ask, to);
                break;
            case CommitTold told:
                LogFrames.Write(told, to);
                break;
            case CopyAsk ask:
                CopyFrames.Write(ask, to);
                break;
            case CopyChunk chunk:
                CopyFrames.Write(chunk, to);
                break;
            case CopyAck copied:
                CopyFrames.Write(copied, to);
                break;
            case LayoutsFrame layouts:
                LayoutFrames.Write(layouts, to);
                break;
            case LayoutsKept kept:
                LayoutFrames.Write(kept, to);
                break;
            default:
                NodeFrames.Write(frame, to);
                break;
        }

        to.UInt64(XxHash3.Hash(to.Written));
    }

    /// <summary>Reads a frame. Keys, values and answers refer to the bytes.</summary>
    /// <param name="bytes">One frame and nothing else.</param>
    /// <param name="partitionCount">The partitions of the cluster.</param>
    /// <exception cref="StateFormatException">The bytes are no frame, or one with an impossible number.</exception>
    public static (FrameHeader Header, object Frame) Read(ReadOnlyMemory<byte> bytes, int partitionCount)
    {
        var content = bytes[..Math.Max(0, bytes.Length - ChecksumBytes)];
        var input = new FrameReader(content, partitionCount);
        var version = input.Byte();
        if (version != FormatVersion)
            throw input.Malformed($"format version {version} was found, {FormatVersion} expected");
        if (XxHash3.Hash(content.Span) != BinaryPrimitives.ReadUInt64LittleEndian(bytes.Span[content.Length..]))
            throw input.Malformed("a checksum of other bytes");
        var kind = (FrameKind)input.Byte();
        var header = new FrameHeader(input.Guid(), input.Guid(), input.Guid());
        var frame = kind switch
        {
            FrameKind.Append => (object)LogFrames.ReadAppend(ref input),
            FrameKind.Ack => LogFrames.ReadAck(ref input),
            FrameKind.CommitAsk => LogFrames.ReadCommitAsk(ref input),
            FrameKind.CommitTold => LogFrames.ReadCommitTold(ref input),
            FrameKind.CopyAsk => CopyFrames.ReadAsk(ref input),
            FrameKind.CopyAskWithBase => CopyFrames.ReadAskWithBase(ref input),
            FrameKind.CopyChunk => CopyFrames.ReadChunk(ref input),
            FrameKind.CopyAck => CopyFrames.ReadAck(ref input),
            FrameKind.Layouts => LayoutFrames.ReadLayouts(ref input),
            FrameKind.LayoutsKept => LayoutFrames.ReadKept(ref input),
            _ => NodeFrames.Read(kind, ref input),
        };
        input.End();
        return (header, frame);
    }

    /// <summary>Whether bytes begin as a frame of a kind does. They need not be a frame.</summary>
    public static bool IsOf(FrameKind kind, ReadOnlySpan<byte> bytes) => bytes.Length > 1 && bytes[1] == (byte)kind;

    private static FrameKind KindOf(object frame) => frame switch
    {
        Beacon => FrameKind.Beacon,
        BeaconAck => FrameKind.BeaconAck,
        TableHint => FrameKind.TableHint,
        Proposal => FrameKind.Proposal,
        MemberAsk => FrameKind.MemberAsk,
        DeathReport => FrameKind.DeathReport,
        AppendFrame => FrameKind.Append,
        AckFrame => FrameKind.Ack,
        CopyAsk { Base: not null } => FrameKind.CopyAskWithBase,
        CopyAsk => FrameKind.CopyAsk,
        CopyChunk => FrameKind.CopyChunk,
        CopyAck => FrameKind.CopyAck,
        CommitAsk => FrameKind.CommitAsk,
        CommitTold => FrameKind.CommitTold,
        LayoutsFrame => FrameKind.Layouts,
        LayoutsKept => FrameKind.LayoutsKept,
        _ => throw new ArgumentException($"{frame.GetType()} is no frame.", nameof(frame)),
    };
}
