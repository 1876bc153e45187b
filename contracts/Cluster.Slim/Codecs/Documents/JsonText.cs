using System.Text.Json;
using System.Text.Json.Nodes;

namespace Cluster.Slim.Codecs;

/// <summary>Values of JSON as text, no deeper than the limit. Stateless.</summary>
internal static class JsonText
{
    /// <summary>How deep values may lie in values.</summary>
    internal const int DepthMax = 256;

    /// <summary>What a character of text can make the framework allocate: 12 bytes for each bracket, and the
    /// text.</summary>
    private const int BytesPerCharacter = 20;

    /// <summary>The same where all nodes are made at once.</summary>
    private const int NodeBytesPerCharacter = 128;

    private static readonly JsonDocumentOptions Lax = new()
    {
        MaxDepth = DepthMax, AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip,
    };

    private static readonly JsonDocumentOptions WithoutDuplicates = Lax with { AllowDuplicateProperties = false };

    /// <summary>The text of a document that is written; refuses what <see cref="Parse"/> would refuse.</summary>
    internal static string Of<T>(T value, Func<T, string> print)
        where T : notnull => Checked(value, print, static text => JsonDocument.Parse(text, Lax).Dispose());

    /// <summary>The text of a node that is written; refuses what <see cref="ParseNode"/> would refuse.</summary>
    internal static string OfNode<T>(T node, JsonNodeOptions options)
        where T : JsonNode => Checked(node, static n => n.ToJsonString(), text => MakeNode(text, options));

    /// <summary>Reads the text of a document. Its memory is rented, as the framework does it.</summary>
    internal static JsonDocument Parse(SlimReader reader, string text) =>
        Build(reader, text, static t => JsonDocument.Parse(t, Lax));

    /// <summary>Reads the text of a node, whose properties occur once.</summary>
    internal static JsonNode? ParseNode(SlimReader reader, string text, JsonNodeOptions options)
    {
        if (options.PropertyNameCaseInsensitive)
            reader.Charge(NodeBytesPerCharacter * (long)text.Length);
        return Build(reader, text, t => MakeNode(t, options));
    }

    private static JsonNode? MakeNode(string text, JsonNodeOptions options)
    {
        JsonNode? node = JsonNode.Parse(text, options, WithoutDuplicates);

        // The framework looks for names that differ in their case only when somebody asks an object for one.
        if (options.PropertyNameCaseInsensitive)
            Touch(node);
        return node;
    }

    // No deeper than the limit, because the text is not.
    private static void Touch(JsonNode? node)
    {
        if (node is JsonObject members)
        {
            foreach ((_, JsonNode? member) in members)
                Touch(member);
        }
        else if (node is JsonArray items)
        {
            foreach (JsonNode? item in items)
                Touch(item);
        }
    }

    private static string Checked<T>(T value, Func<T, string> print, Action<string> check)
        where T : notnull
    {
        try
        {
            string text = print(value);
            check(text);
            return text;
        }
        catch (Exception e) when (IsOfContent(e))
        {
            throw Throw.NotSupported(
                typeof(T),
                $"it has been disposed of, is deeper than {DepthMax} levels, or has a name twice: {e.GetType()}.");
        }
    }

    private static T Build<T>(SlimReader reader, string text, Func<string, T> build)
    {
        reader.Charge(BytesPerCharacter * (long)text.Length);
        try
        {
            return build(text);
        }
        catch (Exception e) when (IsOfContent(e))
        {
            throw Throw.Failed("A text is not the JSON that it should be.", e);
        }
    }

    private static bool IsOfContent(Exception e) =>
        e is JsonException or InvalidOperationException or ArgumentException or NotSupportedException;
}
