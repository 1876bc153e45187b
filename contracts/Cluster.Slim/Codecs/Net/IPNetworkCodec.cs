using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Net;

/// <summary>Writes and reads an IP network: the base address and the length of its prefix in bits.</summary>
internal readonly struct IPNetworkCodec : IValueCodec<IPNetwork>
{
    private const int AddressBytes = 96;

    public static int BytesMin => 6;

    public static void Describe(StepList steps) => steps.Address().Bytes(1);

    public static void Write(SlimWriter writer, IPNetwork value)
    {
        IPAddressCodec.Write(writer, value.BaseAddress);
        writer.WriteByte((byte)value.PrefixLength);
    }

    public static IPNetwork Read(SlimReader reader)
    {
        reader.Charge(AddressBytes);
        var address = IPAddressCodec.Read(reader);
        try
        {
            return new IPNetwork(address, reader.ReadByte());
        }
        catch (ArgumentException e)
        {
            throw Throw.Failed("The address and the length of a network do not go together.", e);
        }
    }
}
