using System.Xml;
using System.Xml.Linq;
using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Documents and elements of XML as text. No document type, hence no entities, and nothing outside of the text
/// is ever looked at; no deeper than the limit, because the framework compares and hashes elements by recursion.
/// Stateless.</summary>
internal static class XmlText
{
    /// <summary>What one character of text can make the framework allocate: 28 bytes were measured, and what parsing
    /// needs.</summary>
    private const int BytesPerCharacter = 48;

    // What separates lines stands in the text as it is in memory.
    private static readonly XmlWriterSettings Writing = new()
    {
        OmitXmlDeclaration = true, NewLineHandling = NewLineHandling.Entitize,
        ConformanceLevel = ConformanceLevel.Fragment,
    };

    private static readonly XmlReaderSettings Reading = new()
    {
        DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, ConformanceLevel = ConformanceLevel.Fragment,
    };

    /// <summary>The text of a node that a reader can build the same node from; refuses others.</summary>
    public static string Of<T>(SlimLimits limits, T node, Func<XmlReader, T> build)
        where T : XNode
    {
        var text = Guard(typeof(T), node, static n => Print(n));
        CheckWritten(limits, typeof(T), text);
        var copy = Guard(typeof(T), text, t =>
        {
            using var reader = NewReader(t);
            return build(reader);
        });
        if (!XNode.DeepEquals(node, copy))
            throw Throw.NotSupported(typeof(T), "its text would be read as another document.");
        return text;
    }

    /// <summary>Refuses text on write that <see cref="Parse"/> would refuse.</summary>
    public static void CheckWritten(SlimLimits limits, Type type, string text) => Guard(type, text, t =>
    {
        CheckDepth(limits, t);
        return true;
    });

    /// <summary>Builds something from the text of a message.</summary>
    public static T Parse<T>(SlimReader reader, string text, Func<XmlReader, T> build)
    {
        reader.Charge(BytesPerCharacter * (long)text.Length);
        try
        {
            CheckDepth(reader.Limits, text);
            using var xml = NewReader(text);
            return build(xml);
        }
        catch (Exception e) when (IsOfContent(e))
        {
            throw Throw.Failed("A text is not the XML that it should be.", e);
        }
    }

    /// <summary>Runs a step of writing, and tells what the framework refuses as something that cannot be
    /// carried.</summary>
    public static TResult Guard<T, TResult>(Type type, T value, Func<T, TResult> step)
    {
        try
        {
            return step(value);
        }
        catch (Exception e) when (IsOfContent(e))
        {
            throw Throw.NotSupported(type, $"XML cannot say what is in it: {e.GetType()}.");
        }
    }

    private static bool IsOfContent(Exception e) =>
        e is XmlException or InvalidOperationException or ArgumentException or NotSupportedException;

    private static string Print(XNode node)
    {
        StringWriter text = new();
        using (var writer = XmlWriter.Create(text, Writing))
        {
            if (node is XDocument document)
                PrintContent(document, writer);
            else
                node.WriteTo(writer);
        }

        return text.ToString();
    }

    // ToString leaves the XML declaration (<?xml version="1.0"?>) out. It is carried as a value of its own.
    private static void PrintContent(XDocument document, XmlWriter writer)
    {
        foreach (var node in document.Nodes())
            node.WriteTo(writer);
    }

    private static void CheckDepth(SlimLimits limits, string text)
    {
        using var reader = NewReader(text);
        while (reader.Read())
        {
            if (reader.Depth > limits.MaxDocumentDepth)
                Throw.Limit(nameof(SlimLimits.MaxDocumentDepth), limits.MaxDocumentDepth, reader.Depth);
        }
    }

    private static XmlReader NewReader(string text) => XmlReader.Create(new StringReader(text), Reading);
}
