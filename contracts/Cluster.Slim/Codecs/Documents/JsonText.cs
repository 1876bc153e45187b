using System.Text.Json;
using System.Text.Json.Nodes;
using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Converts JSON values to text and back, and refuses JSON that is deeper than the limit. Stateless.</summary>
internal static class JsonText
{
    /// <summary>The most bytes that one character of text makes the framework allocate: 12 bytes for a bracket, and the
    /// text.</summary>
    private const int BytesPerCharacter = 20;

    /// <summary>The most bytes for one character if all nodes are created at once.</summary>
    private const int NodeBytesPerCharacter = 128;

    /// <summary>Returns the text of a document. Refuses what <see cref="ParseDocument"/> would refuse.</summary>
    public static string TextOfDocument<T>(SlimLimits limits, T value, Func<T, string> print)
        where T : notnull =>
        Checked(limits, value, print, text => JsonDocument.Parse(text, RulesOf(limits.MaxDocumentDepth)).Dispose());

    /// <summary>Returns the text of a node. Refuses what <see cref="ParseNode"/> would refuse.</summary>
    public static string TextOfNode<T>(SlimLimits limits, T node, JsonNodeOptions options)
        where T : JsonNode =>
        Checked(limits, node, static n => n.ToJsonString(), text => MakeNode(limits, text, options));

    /// <summary>Reads the text of a document. The framework rents the document's memory from a pool.</summary>
    public static JsonDocument ParseDocument(SlimReader reader, string text) =>
        Build(reader, text, t => JsonDocument.Parse(t, RulesOf(reader.Limits.MaxDocumentDepth)));

    /// <summary>Reads the text of a node. Refuses an object with two properties of one name.</summary>
    public static JsonNode? ParseNode(SlimReader reader, string text, JsonNodeOptions options)
    {
        if (options.PropertyNameCaseInsensitive)
            reader.Charge(NodeBytesPerCharacter * (long)text.Length);
        return Build(reader, text, t => MakeNode(reader.Limits, t, options));
    }

    // Property names may occur twice in a document, but not in a node.
    private static JsonDocumentOptions RulesOf(int maxDepth) => new()
    {
        MaxDepth = maxDepth, AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip,
    };

    private static JsonNode? MakeNode(SlimLimits limits, string text, JsonNodeOptions options)
    {
        var rules = RulesOf(limits.MaxDocumentDepth) with { AllowDuplicateProperties = false };
        var node = JsonNode.Parse(text, options, rules);

        // The framework finds names that differ only in case when code first asks an object for a name. This asks each
        // object.
        if (options.PropertyNameCaseInsensitive)
            AskForNames(node);
        return node;
    }

    // The recursion is as deep as the text, which the limit bounds.
    private static void AskForNames(JsonNode? node)
    {
        if (node is JsonObject members)
        {
            foreach ((_, var member) in members)
                AskForNames(member);
        }
        else if (node is JsonArray items)
        {
            foreach (var item in items)
                AskForNames(item);
        }
    }

    private static string Checked<T>(SlimLimits limits, T value, Func<T, string> print, Action<string> check)
        where T : notnull
    {
        string? text = null;
        try
        {
            text = print(value);
            check(text);
            return text;
        }
        catch (Exception e) when (IsOfContent(e))
        {
            RefuseIfTooDeep(limits, text, e);
            throw Throw.NotSupported(
                typeof(T),
                $"it has been disposed of, has a name twice, or is deeper than {SlimLimits.DocumentDepthMost} levels: "
                + $"{e.GetType()}.");
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
            RefuseIfTooDeep(reader.Limits, text, e);
            throw Throw.Failed("A text is not the JSON that it should be.", e);
        }
    }

    // If the text can be parsed without the depth limit, but not with it, its depth is the error.
    private static void RefuseIfTooDeep(SlimLimits limits, string? text, Exception failure)
    {
        if (text is null || failure is not JsonException)
            return;
        try
        {
            JsonDocument.Parse(text, RulesOf(int.MaxValue)).Dispose();
        }
        catch (JsonException)
        {
            return;
        }

        if (IsDeeper(text, limits.MaxDocumentDepth))
            Throw.Limit(nameof(SlimLimits.MaxDocumentDepth), limits.MaxDocumentDepth, limits.MaxDocumentDepth + 1L);
    }

    private static bool IsDeeper(string text, int maxDepth)
    {
        try
        {
            JsonDocument.Parse(text, RulesOf(maxDepth)).Dispose();
            return false;
        }
        catch (JsonException)
        {
            return true;
        }
    }

    private static bool IsOfContent(Exception e) =>
        e is JsonException or InvalidOperationException or ArgumentException or NotSupportedException;
}
