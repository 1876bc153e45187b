using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Data.SqlTypes;
using System.Runtime.Intrinsics;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Slim.Tests.Framework;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Format;

/// <summary>Messages whose bytes are a promise: framework types beyond the common ones, and what exceptions
/// tell.</summary>
internal static class GoldenFramework
{
    public static readonly Dictionary<string, (Func<byte[]> Write, Action<byte[]> Check)> All = new()
    {
        ["sql"] = Of(
            new SqlBinary([1, 2]), SqlBinary.Null, SqlBoolean.True, new SqlByte(1), new SqlInt16(-2), new SqlInt32(3),
            SqlInt32.Null, new SqlInt64(-4), new SqlSingle(1.5f), new SqlDouble(2.5), new SqlGuid(new byte[16]),
            new SqlMoney(1.25m), SqlDecimal.Parse("-12.345"), new SqlDateTime(2026, 1, 2), new SqlBytes([5]),
            new SqlString("s", 1033, SqlCompareOptions.BinarySort), new SqlChars("c")),
        ["network"] = Of(
            IPNetwork.Parse("10.1.0.0/16"), new DnsEndPoint("example.org", 443), HttpMethod.Get, new HttpMethod("OWN"),
            FrameworkSamples.NewCookie("a"), new CookieCollection { FrameworkSamples.NewCookie("b") }),
        ["documents"] = Of(
            new JsonObject { ["a"] = 1 }, new JsonArray(1, null), JsonValue.Create("v"), JsonDocument.Parse("[1.50]"),
            JsonDocument.Parse("{\"a\": 1}").RootElement, new XElement("a", new XAttribute("x", "y"), "text"),
            new XDocument(new XDeclaration("1.0", "utf-8", null), new XElement("a")), (XName)"{urn:a}b",
            (XNamespace)"urn:a", new XAttribute("x", "y"), new XDeclaration("1.0", null, "yes")),
        ["vectors"] = Of(
            Vector64.Create(1, 2), Vector128.Create(1.5, 2), Vector256.Create(7L), Vector512.Create((byte)9),
            new BitVector32(5), BitVector32.CreateSection(15)),
        ["read-only"] = Of(new ReadOnlyObservableCollection<int>([1, 2]), new ReadOnlySet<int>(new HashSet<int> { 1 })),
        ["entry"] = Of(new DictionaryEntry("key", 5), default(DictionaryEntry)),
        ["sorting"] = Of(
            CultureInfo.GetCultureInfo("de-DE").CompareInfo, new SortVersion(7, new Guid(new byte[16])),
            TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(1, 1, 1, 2, 0, 0), 3, 31)),
        ["exception-data"] = (
            static () => Serializer.Serialize<Exception>(WithData()),
            static bytes =>
            {
                var back = Serializer.Deserialize<Exception>(bytes);
                Assert.Equal([("text", 1), (5, "five")], back.Data.Cast<DictionaryEntry>().Select(e => (e.Key, e.Value)));
            }
        ),
        ["exception-details"] = Of(
            new ReflectionTypeLoadException([typeof(int), null], [new TimeoutException("in")], "types"),
            new JsonException("json", "$.a", 3, 4)),
    };

    private static SlimSerializer? _slim;

    private static SlimSerializer Serializer => _slim ??= NewSerializer();

    private static SlimSerializer NewSerializer()
    {
        var options = new SlimOptions().Allow<BitVector32.Section>().Allow<Exception>();
        foreach (var value in FrameworkSamples.Small)
            options.Allow(FrameworkForms.CarriedTypeOf(value.GetType()));
        return new SlimSerializer(options);
    }

    private static InvalidOperationException WithData()
    {
        InvalidOperationException error = new("m");
        error.Data["text"] = 1;
        error.Data[5] = "five";
        return error;
    }

    private static (Func<byte[]> Write, Action<byte[]> Check) Of(params object[] values) => (
        () => Serializer.Serialize(values),
        bytes =>
        {
            var back = Serializer.Deserialize<object[]>(bytes);
            Assert.Equal(values.Length, back.Length);
            foreach ((var source, var copy) in values.Zip(back))
                FrameworkEquality.Check(source, copy);
        }
    );
}
