using System.Data.SqlTypes;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Directed cases about databases, documents, addresses and what exceptions tell.</summary>
internal static class DirectedFramework
{
    private static readonly byte[] Ones = [255, 255, 255, 255, 255, 255, 255, 127];

    public static IEnumerable<DirectedCase> All() =>
        [.. Values(), .. Network(), .. Databases(), .. Xml(), .. Json(), .. Data(), .. Details()];

    private static IEnumerable<DirectedCase> Values()
    {
        var count = Vector<int>.Count;
        yield return DirectedCase.Ended(
            "VectorFieldSerializer.cs Read 1", "elements came", new Vector<int>(3), 1 + (4 * count),
            new Forge().Number((uint)count + 1).Bytes(new byte[4 * (count + 1)]));
        yield return DirectedCase.Damaged(
            "AdjustmentRuleCodec.cs Read 1", "do not go together", FuzzTypes.MadeUpZone().GetAdjustmentRules()[0],
            new byte[48]);
        yield return DirectedCase.Damaged(
            "TransitionTimeCodec.cs Read 1", "do not go together", default(TimeZoneInfo.TransitionTime),
            BitConverter.GetBytes(1L));
        yield return DirectedCase.Ended(
            "ComparisonCodec.cs Read 1", "not known here", CultureInfo.InvariantCulture.CompareInfo, 1,
            new Forge().Text("none-such"));
    }

    private static IEnumerable<DirectedCase> Network()
    {
        const int CookieEnd = 13;
        Cookie cookie = new("a", "b");
        yield return DirectedCase.Damaged(
            "IPNetworkCodec.cs Read 1", "do not go together", IPNetwork.Parse("10.0.0.0/8"), [99]);
        yield return DirectedCase.Damaged(
            "DnsEndPointCodec.cs Read 1", "do not go together", new DnsEndPoint("a", 80), [77, 0, 0, 0]);
        yield return DirectedCase.Ended(
            "HttpMethodCodec.cs Read 1", "is not one", HttpMethod.Patch, 6, new Forge().Text("a b"));
        yield return DirectedCase.Damaged(
            "CookieCodec.cs Read 1", "unknown settings", cookie, [8, .. new byte[CookieEnd - 1]]);
        yield return DirectedCase.Damaged(
            "CookieCodec.cs Read 2", "refused by it", cookie, [0, 255, 255, 255, 255, .. new byte[CookieEnd - 5]]);
        CookieCollection two = [new Cookie("qq", "v"), new Cookie("zz", "v")];
        yield return DirectedCase.Read<CookieCollection>(
            "CookieCollectionCodec.cs Fill 1", "occurs twice", Forge.After(new SlimSerializer().Serialize(two))
                .Replace(new Forge().Text("zz").Done(), new Forge().Text("qq").Done()));
    }

    private static IEnumerable<DirectedCase> Databases()
    {
        yield return DirectedCase.Damaged(
            "SqlForms.cs MakeBoolean 1", "neither false nor true", SqlBoolean.True, [5]);
        yield return DirectedCase.Damaged(
            "SqlDecimalParts.cs Make 1", "unknown sign", new SqlDecimal(5), [10, 0, 7, 0, .. new byte[16]]);
        yield return DirectedCase.Damaged(
            "SqlValueFieldSerializer.cs Read 1", "neither there nor null", new SqlInt32(5), [2, 0, 0, 0, 0]);
        yield return DirectedCase.Damaged(
            "SqlValueFieldSerializer.cs Read 2", "out of range", new SqlDateTime(2026, 1, 2), Ones);
        yield return DirectedCase.Damaged(
            "SqlBuffer.cs Read 1", "neither there nor null", new SqlBinary([1]), [2, 1, 1]);
        yield return DirectedCase.Damaged(
            "SqlStringCodec.cs Read 1", "in an unknown way", new SqlString("a"), [255, 255, 255, 255]);
    }

    private static IEnumerable<DirectedCase> Xml()
    {
        const int TextBytes = 6;
        XElement element = new("a");
        yield return Text("XmlText.cs Parse 1", "not the XML", element, TextBytes, "<a>");
        yield return Text("XmlText.cs Parse 1", "not the XML", element, TextBytes, "<!DOCTYPE a><a/>");
        yield return Text(
            "XmlText.cs Parse 1", "not the XML", element, TextBytes,
            "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><a>&e;</a>");
        yield return Text(
            "XmlText.cs CheckDepth 1", "over the limit SlimLimits.MaxDocumentDepth", element, TextBytes,
            Nested("<a>", 300) + Nested("</a>", 300));
        yield return DirectedCase.Ended(
            "XDocumentCodec.cs Read 1", "neither there nor not", new XDocument(element), 4 + TextBytes,
            new Forge().Bytes(2));
        yield return DirectedCase.Ended(
            "XNameCodec.cs Read 1", "not a name", (XName)"a", 3, new Forge().Text("1").Text(""));
        yield return DirectedCase.Damaged("XNamespaceCodec.cs Read 1", "has no name", XNamespace.None, [0]);
        yield return DirectedCase.Ended(
            "XAttributeCodec.cs Read 1", "refused by the framework", new XAttribute("x", "y"), 2, new Forge().Bytes(0));
    }

    private static IEnumerable<DirectedCase> Json()
    {
        JsonObject none = [];
        yield return Text("JsonText.cs Build 1", "not the JSON", none, 3, "{");
        yield return Text("JsonText.cs Build 1", "not the JSON", none, 3, "{\"a\":1,\"a\":2}");
        yield return Text(
            "JsonText.cs RefuseIfTooDeep 1", "over the limit SlimLimits.MaxDocumentDepth", none, 3,
            Nested("[", 300) + Nested("]", 300));
        yield return Text("JsonNodeCodec.cs Read 2", "another kind", none, 3, "[]");
        yield return DirectedCase.Ended(
            "JsonNodeCodec.cs Read 1", "unknown settings", none, 4, new Forge().Bytes(2).Text("{}"));
    }

    private static IEnumerable<DirectedCase> Data()
    {
        IOException error = new();
        yield return DirectedCase.Ended(
            "ExceptionEntries.cs EntryOf 1", "not in an array with its value", error, 1,
            new Forge().Number(1).Bytes(ObjectTags.Null, ObjectTags.NewTyped, 38, 0));
    }

    private static IEnumerable<DirectedCase> Details()
    {
        var text = new Forge().Bytes(ObjectTags.NewTyped, 2).Text("f").Done();
        var position = new Forge().Text("1;2;$.a").Done();
        JsonException json = new("m", "$.a", 1, 2);
        yield return Detail(
            "ExceptionDetail.cs PositionArguments 1", "not a position", json, position, new Forge().Text("1").Done());
        yield return Detail(
            "ExceptionDetail.cs PositionNumberOf 1", "not a position", json, position, new Forge().Text("x;2").Done());
        yield return Detail(
            "ExceptionDetail.cs TypesOf 1", "not an array of types",
            new ReflectionTypeLoadException([typeof(int)], [], "m"), [ObjectTags.NewTyped, 38, 1, ObjectTags.NewTyped, 37, 9], text);
        yield return Detail(
            "ExceptionDetail.cs ErrorCodeOf 1", "not a long number", new HttpProtocolException(77, "m", null),
            [ObjectTags.NewTyped, 11, 77, 0, 0, 0, 0, 0, 0, 0], text);
    }

    private static DirectedCase Text<T>(string rule, string says, T value, int dropped, string text) =>
        DirectedCase.Ended(rule, says, value, dropped, new Forge().Text(text));

    private static DirectedCase Detail<T>(string rule, string says, T value, byte[] written, byte[] forged) =>
        DirectedCase.Read<T>(rule, says, Forge.After(new SlimSerializer().Serialize(value)).Replace(written, forged));

    private static string Nested(string part, int count) => string.Concat(Enumerable.Repeat(part, count));
}
