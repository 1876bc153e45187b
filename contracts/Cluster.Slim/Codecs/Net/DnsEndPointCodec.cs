using System.Net.Sockets;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Net;

/// <summary>Writes and reads an end point by host name: host, port and address family. The host is not
/// resolved.</summary>
internal readonly struct DnsEndPointCodec : ILeafCodec<DnsEndPoint>
{
    public static void Describe(StepList steps) => steps.Text().Bytes(sizeof(ushort) + sizeof(int));

    public static void Write(SlimWriter writer, DnsEndPoint value)
    {
        writer.WriteString(value.Host);
        writer.WriteRaw((ushort)value.Port);
        writer.WriteRaw((int)value.AddressFamily);
    }

    public static DnsEndPoint Read(SlimReader reader)
    {
        var host = reader.ReadString();
        int port = reader.ReadRaw<ushort>();
        try
        {
            return new DnsEndPoint(host!, port, (AddressFamily)reader.ReadRaw<int>());
        }
        catch (ArgumentException e)
        {
            throw Throw.Failed("The host and the kind of an address do not go together.", e);
        }
    }
}
