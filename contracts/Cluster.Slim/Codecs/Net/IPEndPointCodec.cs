using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Net;

/// <summary>Writes and reads an end point by IP address: the address and the port.</summary>
internal readonly struct IPEndPointCodec : ILeafCodec<IPEndPoint>
{
    public static void Describe(StepList steps) => steps.Address().Bytes(sizeof(ushort));

    public static void Write(SlimWriter writer, IPEndPoint value)
    {
        IPAddressCodec.Write(writer, value.Address);
        writer.WriteRaw((ushort)value.Port);
    }

    public static IPEndPoint Read(SlimReader reader)
    {
        var address = IPAddressCodec.Read(reader);
        return new IPEndPoint(address, reader.ReadRaw<ushort>());
    }
}
