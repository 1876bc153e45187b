using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Cultures;

/// <summary>Writes and reads a culture by its name. A culture with settings that its name does not imply is refused. So
/// is a name that the machine does not know: hostile names must not fill the framework's cache.</summary>
internal readonly struct CultureCodec : ILeafCodec<CultureInfo>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, CultureInfo value)
    {
        if (Find(value.Name) is not { } same || !CultureFormats.AreThoseOf(same, value))
        {
            throw Throw.NotSupported(
                typeof(CultureInfo), $"{value.Name} differs from the system's culture of that name.");
        }

        writer.WriteString(value.Name);
    }

    public static CultureInfo Read(SlimReader reader)
    {
        var found = reader.ReadString() is { } name ? Find(name) : null;
        if (found is null)
            Throw.Malformed("A culture is not known here.");
        return found!;
    }

    /// <summary>Finds the machine's culture of this name; null if there is none.</summary>
    public static CultureInfo? Find(string name)
    {
        if (name.Length == 0)
            return CultureInfo.InvariantCulture;
        try
        {
            return CultureInfo.GetCultureInfo(name, predefinedOnly: true);
        }
        catch (ArgumentException)
        {
            // The exception is dropped: its text repeats the name, which is content of the message.
            return null;
        }
    }
}
