using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads a version: four numbers; -1 for a missing part.</summary>
internal readonly struct VersionCodec : ILeafCodec<Version>
{
    public static void Describe(StepList steps) => steps.Bytes(4 * sizeof(int));

    public static void Write(SlimWriter writer, Version value)
    {
        writer.WriteRaw(value.Major);
        writer.WriteRaw(value.Minor);
        writer.WriteRaw(value.Build);
        writer.WriteRaw(value.Revision);
    }

    public static Version Read(SlimReader reader)
    {
        var major = reader.ReadRaw<int>();
        var minor = reader.ReadRaw<int>();
        var build = reader.ReadRaw<int>();
        var revision = reader.ReadRaw<int>();
        if (major < 0 || minor < 0 || build < -1 || revision < -1 || (build < 0 && revision >= 0))
            Throw.Malformed("A version has a negative part.");
        if (build < 0)
            return new Version(major, minor);
        return revision < 0 ? new Version(major, minor, build) : new Version(major, minor, build, revision);
    }
}
