using System.Text.Json;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Writes and reads a JSON value as the text from which it was parsed; null for an undefined element, which
/// belongs to no document.</summary>
internal readonly struct JsonElementCodec : IValueCodec<JsonElement>
{
    public static int BytesMin => 1;

    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, JsonElement value) =>
        writer.WriteString(IsNone(value)
            ? null
            : JsonText.TextOfDocument(writer.Limits, value, static v => v.GetRawText()));

    // The clone has its own memory, so nobody has to dispose of a document.
    public static JsonElement Read(SlimReader reader)
    {
        if (reader.ReadString() is not { } text)
            return default;
        reader.Charge(256);
        using var document = JsonText.ParseDocument(reader, text);
        return document.RootElement.Clone();
    }

    private static bool IsNone(JsonElement value)
    {
        try
        {
            return value.ValueKind == JsonValueKind.Undefined;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }
}
