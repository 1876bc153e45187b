namespace Cluster.Nodes.Liveness;

/// <summary>
/// The bytes that a liveness endpoint sends to each connection: which incarnation of which node listens. Without it, a
/// port number that another process has taken over since would look like the dead node alive. Pure functions.
/// <code>
/// offset  size  field
///      0     8  magic "ClsLife1"
///      8    16  incarnation, in RFC 4122 byte order
/// </code>
/// </summary>
internal static class LivenessGreeting
{
    public const int LengthBytes = 24;
    private const int IncarnationOffset = 8;

    private static ReadOnlySpan<byte> Magic => "ClsLife1"u8;

    public static byte[] Encode(Guid incarnation)
    {
        var greeting = new byte[LengthBytes];
        Magic.CopyTo(greeting);
        incarnation.TryWriteBytes(greeting.AsSpan(IncarnationOffset), bigEndian: true, out _);
        return greeting;
    }

    public static Guid? Decode(ReadOnlySpan<byte> greeting) =>
        greeting.Length == LengthBytes && greeting.StartsWith(Magic)
            ? new Guid(greeting[IncarnationOffset..], bigEndian: true)
            : null;
}
