using System.Text.Json;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>A value of JSON as the text it was made of; null for the element that no document has.</summary>
internal readonly struct JsonElementCodec : IValueCodec<JsonElement>
{
    public static int BytesMin => 1;

    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, JsonElement value) =>
        writer.WriteString(IsNone(value)
            ? null
            : JsonText.TextOfDocument(writer.Limits, value, static v => v.GetRawText()));

    // A clone owns its memory, so that nobody has to dispose of it.
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
