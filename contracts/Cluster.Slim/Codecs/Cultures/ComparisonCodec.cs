using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Cultures;

/// <summary>Writes and reads the comparison rules of a culture by the culture's name. The reader refuses names that its
/// machine does not know, as <see cref="CultureCodec"/> does.</summary>
internal readonly struct ComparisonCodec : ILeafCodec<CompareInfo>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, CompareInfo value)
    {
        if (CultureCodec.Find(value.Name)?.CompareInfo.Equals(value) != true)
            throw Throw.NotSupported(typeof(CompareInfo), $"no culture of the system is called {value.Name}.");
        writer.WriteString(value.Name);
    }

    public static CompareInfo Read(SlimReader reader)
    {
        var found = reader.ReadString() is { } name ? CultureCodec.Find(name) : null;
        if (found is null)
            Throw.Malformed("The culture of a comparison is not known here.");
        return found!.CompareInfo;
    }
}
