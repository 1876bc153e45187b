using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Cultures;

/// <summary>Writes and reads a version of sorting rules: its number and its identifier.</summary>
internal readonly struct SortVersionCodec : ILeafCodec<SortVersion>
{
    public static void Describe(StepList steps) => steps.Bytes(20);

    public static void Write(SlimWriter writer, SortVersion value)
    {
        writer.WriteRaw(value.FullVersion);
        writer.WriteRaw(value.SortId);
    }

    public static SortVersion Read(SlimReader reader)
    {
        var version = reader.ReadRaw<int>();
        return new SortVersion(version, reader.ReadRaw<Guid>());
    }
}
