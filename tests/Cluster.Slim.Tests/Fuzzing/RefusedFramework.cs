using System.Data.SqlTypes;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Slim.Tests.Framework;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Values of framework types that are carried, which writers refuse for what is in them.</summary>
internal static class RefusedFramework
{
    public static IEnumerable<(string Name, object Value, Type? Allowed)> All =>
    [
        ("equal cookies", EqualCookies(), null),
        ("comparison of nobody", new CultureInfo("xy-ZZ").CompareInfo, null),
        ("bytes on a stream", new SqlBytes(new MemoryStream([1])), null),
        ("document type", XDocument.Parse("<!DOCTYPE a><a/>"), null),
        ("text that is no XML", new XElement("a", "\0"), null),
        ("text of XML that is read as another", new XElement("a", new XCData("x]]>y")), null),
        ("disposed document", Disposed(), null),
        ("value of JSON that is an object", JsonValue.Create(new Dictionary<string, int>())!, typeof(JsonValue)),
    ];

    private static CookieCollection EqualCookies()
    {
        var other = FrameworkSamples.NewCookie("b");
        CookieCollection cookies = [FrameworkSamples.NewCookie("a"), other];
        other.Name = "a";
        return cookies;
    }

    private static JsonDocument Disposed()
    {
        var document = JsonDocument.Parse("[]");
        document.Dispose();
        return document;
    }
}
