using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads the text of a string builder. Its capacity does not travel.</summary>
internal readonly struct StringBuilderCodec : ILeafCodec<StringBuilder>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, StringBuilder value) => writer.WriteString(value.ToString());

    public static StringBuilder Read(SlimReader reader)
    {
        var text = reader.ReadString();
        if (text is null)
            Throw.Malformed("The text of a string builder is null.");
        reader.Charge(2L * text!.Length);
        return new StringBuilder(text);
    }
}
