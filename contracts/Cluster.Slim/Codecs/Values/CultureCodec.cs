using System.Globalization;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Codecs;

/// <summary>The name. Cultures that the machine does not know are refused, so that hostile names cannot pile up in
/// the
/// framework's cache.</summary>
internal readonly struct CultureCodec : ILeafCodec<CultureInfo>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, CultureInfo value) => writer.WriteString(value.Name);

    public static CultureInfo Read(SlimReader reader)
    {
        string? name = reader.ReadString();
        if (name is { Length: 0 })
            return CultureInfo.InvariantCulture;
        try
        {
            return CultureInfo.GetCultureInfo(name!, predefinedOnly: true);
        }
        catch (ArgumentException)
        {
            // The framework's own exception repeats the name, which is content.
            Throw.Malformed("A culture is not known here.");
            return null!;
        }
    }
}
