using System.Net.Sockets;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Net;

/// <summary>Writes and reads an IP address: the number of its bytes (4 or 16), the bytes, and the scope of an IPv6
/// address.</summary>
internal readonly struct IPAddressCodec : ILeafCodec<IPAddress>
{
    public static void Describe(StepList steps) => steps.Address();

    public static void Write(SlimWriter writer, IPAddress value)
    {
        Span<byte> bytes = stackalloc byte[16];
        value.TryWriteBytes(bytes, out var count);
        writer.WriteByte((byte)count);
        writer.WriteBytes(bytes[..count]);
        if (value.AddressFamily == AddressFamily.InterNetworkV6)
            writer.WriteRaw((uint)value.ScopeId);
    }

    public static IPAddress Read(SlimReader reader)
    {
        int count = reader.ReadByte();
        if (count is not (4 or 16))
            Throw.Malformed("An IP address is neither 4 nor 16 bytes long.");
        Span<byte> bytes = stackalloc byte[16];
        reader.ReadBytes(bytes[..count]);
        return count == 4 ? new IPAddress(bytes[..4]) : new IPAddress(bytes, reader.ReadRaw<uint>());
    }
}
