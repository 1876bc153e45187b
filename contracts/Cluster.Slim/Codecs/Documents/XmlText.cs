using System.Xml;
using System.Xml.Linq;
using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Documents;

/// <summary>Converts XML documents and elements to text and back. A document type is refused, so there are no entities,
/// and no resource outside of the text is loaded. XML deeper than the limit is refused, because the framework compares
/// and hashes elements by recursion. Stateless.</summary>
internal static class XmlText
{
    /// <summary>The most bytes that one character of text makes the framework allocate: 28 were measured, and parsing
    /// needs more.</summary>
    private const int BytesPerCharacter = 48;

    // Line ends in the content keep their characters.
    private static readonly XmlWriterSettings Writing = new()
    {
        OmitXmlDeclaration = true, NewLineHandling = NewLineHandling.Entitize,
        ConformanceLevel = ConformanceLevel.Fragment,
    };

    private static readonly XmlReaderSettings Reading = new()
    {
        DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, ConformanceLevel = ConformanceLevel.Fragment,
    };

    /// <summary>Returns the text of a node. Refuses a node if its text would be read as another node.</summary>
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

    /// <summary>Refuses text that <see cref="Parse"/> would refuse.</summary>
    public static void CheckWritten(SlimLimits limits, Type type, string text) => Guard(type, text, t =>
    {
        CheckDepth(limits, t);
        return true;
    });

    /// <summary>Builds a value from the text of a message.</summary>
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

    /// <summary>Runs a step of writing, and reports content that the framework refuses as not supported.</summary>
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

    // The XML declaration (<?xml version="1.0"?>) is left out, as by ToString: the codec writes it as separate values.
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
