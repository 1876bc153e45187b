using System.Text.Json.Nodes;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Writes and reads a JSON node with all that it holds: a byte, 1 if it ignores the case of property names,
/// and the text. Its parent does not travel.</summary>
/// <typeparam name="T">The class of nodes.</typeparam>
internal readonly struct JsonNodeCodec<T> : ILeafCodec<T>
    where T : JsonNode
{
    public static void Describe(StepList steps) => steps.Bytes(1).Text();

    public static void Write(SlimWriter writer, T value)
    {
        var options = value.Options ?? default;
        var text = JsonText.TextOfNode(writer.Limits, value, options);
        if (typeof(T) == typeof(JsonValue) && text[0] is '{' or '[' or 'n')
            throw Throw.NotSupported(typeof(T), "it holds an object that is no value of JSON; carry the object.");
        writer.WriteByte(options.PropertyNameCaseInsensitive ? (byte)1 : (byte)0);
        writer.WriteString(text);
    }

    public static T Read(SlimReader reader)
    {
        var mark = reader.ReadByte();
        if (mark > 1)
            Throw.Malformed("A node of JSON has unknown settings.");
        JsonNodeOptions options = new() { PropertyNameCaseInsensitive = mark == 1 };
        var node = JsonText.ParseNode(reader, reader.ReadString() ?? "", options);
        if (node is not T fitting)
        {
            Throw.Malformed($"The text of a {typeof(T)} is another kind of JSON.");
            return null!;
        }

        return fitting;
    }
}
