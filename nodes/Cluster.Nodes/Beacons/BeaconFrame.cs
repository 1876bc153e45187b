namespace Cluster.Nodes.Beacons;

/// <summary>A frame of the state store on a connection of beacons: its length in 4 bytes, big-endian, and its bytes. A
/// length of zero is the answer of a node that acknowledges nothing. Stateless.</summary>
internal static class BeaconFrame
{
    private const int LengthBytes = sizeof(int);

    /// <summary>Reads a frame.</summary>
    /// <returns>The frame, which may be empty; null: the other side has closed the connection between two
    /// frames.</returns>
    /// <exception cref="BeaconRefusedException">The length is impossible.</exception>
    /// <exception cref="IOException">The connection has ended within the frame, or time is up.</exception>
    public static byte[]? Read(Stream stream)
    {
        Span<byte> prefix = stackalloc byte[LengthBytes];
        var count = stream.ReadAtLeast(prefix, LengthBytes, throwOnEndOfStream: false);
        if (count == 0)
            return null;
        if (count < LengthBytes)
            throw new EndOfStreamException();
        var length = BinaryPrimitives.ReadUInt32BigEndian(prefix);
        if (length > BeaconLimits.MaxFrameBytes)
            throw new BeaconRefusedException($"a frame of {length} bytes; at most {BeaconLimits.MaxFrameBytes}");
        var frame = new byte[length];
        stream.ReadExactly(frame);
        return frame;
    }

    /// <summary>Writes a frame at once.</summary>
    public static void Write(Stream stream, ReadOnlySpan<byte> frame)
    {
        var bytes = new byte[LengthBytes + frame.Length];
        BinaryPrimitives.WriteInt32BigEndian(bytes, frame.Length);
        frame.CopyTo(bytes.AsSpan(LengthBytes));
        stream.Write(bytes);
        stream.Flush();
    }
}
