using System.Text.Json;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Writes and reads a JSON document as the text from which it was parsed.</summary>
internal readonly struct JsonDocumentCodec : ILeafCodec<JsonDocument>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, JsonDocument value) =>
        writer.WriteString(
            JsonText.TextOfDocument(writer.Limits, value, static v => v.RootElement.GetRawText()));

    public static JsonDocument Read(SlimReader reader) =>
        JsonText.ParseDocument(reader, reader.ReadString() ?? "");
}
