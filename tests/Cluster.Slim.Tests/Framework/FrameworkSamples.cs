using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Data.SqlTypes;
using System.Runtime.Intrinsics;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Framework;

/// <summary>A value of every carried type of the framework: chosen ones, and generated ones where any will
/// do.</summary>
internal static class FrameworkSamples
{
    private static readonly object?[][] Arguments =
    [
        ["the message", new TimeoutException("inner")], ["the message"], [], ["name", "the message"], [5],
        [5, "the message"], ["the message", 5],
    ];

    private static readonly Type[] Candidates =
        [typeof(int), typeof(double), typeof(string), typeof(DayOfWeek), typeof(System.Data.DataRow)];

    private static readonly Dictionary<Type, object> Chosen = Values().ToDictionary(DefinitionOf);

    /// <summary>The chosen values.</summary>
    public static IEnumerable<object> All => Chosen.Values;

    /// <summary>Those that no other corpus has.</summary>
    public static IEnumerable<object> Small =>
    [
        .. Rules(), Rules()[0].DaylightTransitionEnd, CultureInfo.InvariantCulture.CompareInfo, new SortVersion(7, default),
        new DictionaryEntry("key", 5), new BitVector32(5), .. Machine(), new ReadOnlyObservableCollection<int>([1, 2]),
        new ReadOnlySet<int>(new HashSet<int> { 1, 2 }), .. Databases(), .. Documents(),
    ];

    /// <summary>A value of the type or of the definition; null if none can be made.</summary>
    public static object? Of(Type type)
    {
        if (Chosen.TryGetValue(type, out var chosen))
            return chosen;
        var closed = Close(type);
        if (typeof(Exception).IsAssignableFrom(closed))
            return NewException(closed);
        if (closed.IsValueType)
            return RuntimeHelpers.GetUninitializedObject(closed);
        return closed.IsAbstract || closed.GetConstructor([]) is null ? null : Activator.CreateInstance(closed);
    }

    /// <summary>The type itself, or the definition closed by small values.</summary>
    public static Type Close(Type type)
    {
        if (!type.ContainsGenericParameters)
            return type;
        var count = type.GetGenericArguments().Length;
        return Candidates.Select(c => TryClose(type, [.. Enumerable.Repeat(c, count - 1), c]))
            .Concat(Candidates.Select(c => TryClose(type, [.. Enumerable.Repeat(typeof(int), count - 1), c])))
            .First(static closed => closed is not null)!;
    }

    private static Type? TryClose(Type type, Type[] arguments)
    {
        try
        {
            return type.MakeGenericType(arguments);
        }
        catch (ArgumentException)
        {
            // The constraints of the type want another candidate.
            return null;
        }
    }

    private static object? NewException(Type type)
    {
        foreach (var arguments in Arguments)
        {
            Type[] types = [.. arguments.Select(static a => a is Exception ? typeof(Exception) : a!.GetType())];
            if (type.GetConstructor(types) is not { } constructor)
                continue;
            try
            {
                return constructor.Invoke(arguments);
            }
            catch (TargetInvocationException e) when (e.InnerException is PlatformNotSupportedException)
            {
                // Some exist on one operating system or in a browser only.
                return null;
            }
        }

        return null;
    }

    // What is carried as one of several internal classes stands under the public one.
    private static Type DefinitionOf(object value)
    {
        var type = FrameworkForms.CarriedTypeOf(value.GetType());
        return type.IsGenericType && type != typeof(Nullable<>) ? type.GetGenericTypeDefinition() : type;
    }

    private static IEnumerable<object> Values() =>
        [.. Simple(), .. Machine(), .. Collections(), .. Immutables(), .. Databases(), .. Documents(), .. Errors()];

    private static object[] Simple() =>
    [
        "text", DBNull.Value, Missing.Value, new Uri("https://example.org/a?b=c"), new Version(1, 2, 3), typeof(int),
        TimeZoneInfo.CreateCustomTimeZone("Own", TimeSpan.FromHours(2), "d", "s"), Rules()[0],
        Rules()[0].DaylightTransitionEnd, CultureInfo.GetCultureInfo("de-DE"),
        CultureInfo.GetCultureInfo("de-DE").CompareInfo, new SortVersion(7, Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")),
        Encoding.UTF8, new StringBuilder("built"), new Lazy<int>(5), StringComparer.Ordinal,
        Tuple.Create(1), Tuple.Create(1, "a"), Tuple.Create(1, 2, 3), Tuple.Create(1, 2, 3, 4), Tuple.Create(1, 2, 3, 4, 5),
        Tuple.Create(1, 2, 3, 4, 5, 6), Tuple.Create(1, 2, 3, 4, 5, 6, 7), Tuple.Create(1, 2, 3, 4, 5, 6, 7, 8),
        Comparer.DefaultInvariant, CaseInsensitiveComparer.DefaultInvariant, EqualityComparer<int>.Default,
        Comparer<int>.Default, ReferenceEqualityComparer.Instance, new KeyValuePair<string, int>("k", 1),
        System.Drawing.Color.FromArgb(1, 2, 3), new Rune('r'),
        new DictionaryEntry("key", 5), new BitVector32(0x55AA),
        BitVector32.CreateSection(15, BitVector32.CreateSection(7)),
    ];

    private static TimeZoneInfo.AdjustmentRule[] Rules() =>
    [
        TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
            new DateTime(2000, 1, 1), DateTime.MaxValue.Date, TimeSpan.FromHours(1),
            TimeZoneInfo.TransitionTime.CreateFloatingDateRule(new DateTime(1, 1, 1, 2, 0, 0), 3, 5, DayOfWeek.Sunday),
            TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(1, 1, 1, 3, 0, 0), 10, 31)),
    ];

    private static object[] Machine() =>
    [
        IPAddress.Parse("fe80::1%3"), new IPEndPoint(IPAddress.Loopback, 80), IPNetwork.Parse("10.1.0.0/16"),
        new DnsEndPoint("example.org", 443, System.Net.Sockets.AddressFamily.InterNetworkV6), HttpMethod.Patch,
        NewCookie("a"), new CookieCollection { NewCookie("a"), NewCookie("b") },
        new Vector<int>(3), Vector64.Create(1, 2), Vector128.Create(1.5, 2), Vector256.Create(7L), Vector512.Create((byte)9),
    ];

    public static Cookie NewCookie(string name) => new(name, "value", "/path", "example.org")
    {
        Comment = "why", CommentUri = new Uri("https://example.org/why"), Discard = true, HttpOnly = true, Secure = true,
        Expires = new DateTime(2030, 1, 2, 3, 4, 5, DateTimeKind.Utc), Port = "\"80,81\"", Version = 1,
    };

    private static object[] Collections() =>
    [
        new BitArray([true, false]), new List<int> { 1 }, new Dictionary<string, int> { ["a"] = 1 }, new HashSet<int> { 1 },
        new ReadOnlyCollection<int>([1]), new ReadOnlyDictionary<string, int>(new Dictionary<string, int> { ["a"] = 1 }),
        new ReadOnlyObservableCollection<int>([1, 2]), new ReadOnlySet<int>(new HashSet<int> { 1, 2 }),
        new PriorityQueue<string, int>([("b", 2), ("a", 1)]), new Hashtable { ["a"] = 1 },
        new NameValueCollection { ["a"] = "b" }, new StringDictionary { ["a"] = "b" }, new ArrayList { 1, "a" },
        new Memory<int>([1, 2, 3], 1, 2), new ReadOnlyMemory<int>([1, 2]), new ReadOnlySequence<int>([1, 2]),
        new ArraySegment<int>([1, 2, 3], 1, 2), new BindingList<int> { 1 }, new Collection<int> { 1 },
        new ConcurrentDictionary<string, int>([KeyValuePair.Create("a", 1)]), new ConcurrentBag<int> { 1 },
    ];

    private static object[] Immutables() =>
    [
        ImmutableArray.Create(1, 2), ImmutableList.Create(1), ImmutableHashSet.Create(1), ImmutableQueue.Create(1),
        ImmutableStack.Create(1), ImmutableSortedSet.Create(1), ImmutableDictionary<string, int>.Empty.Add("a", 1),
        ImmutableSortedDictionary<string, int>.Empty.Add("a", 1), new[] { 1 }.ToFrozenSet(),
        new Dictionary<string, int> { ["a"] = 1 }.ToFrozenDictionary(),
    ];

    private static object[] Databases() =>
    [
        new SqlBinary([1, 2, 3]), SqlBoolean.False, new SqlByte(200), new SqlInt16(-5), new SqlInt32(6), new SqlInt64(-7),
        new SqlSingle(1.5f), new SqlDouble(-2.5), new SqlGuid(Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")),
        new SqlMoney(-12.3456m), SqlDecimal.Parse("-123456789012345678901234567890.12345678"),
        new SqlDateTime(2026, 1, 2, 3, 4, 5, 123.0), new SqlString("Grüße", 1031, SqlCompareOptions.IgnoreCase),
        new SqlBytes([1, 2, 3]), new SqlChars("text"), NewSqlXml("<a>b</a>"),
    ];

    private static SqlXml NewSqlXml(string text)
    {
        using var reader = System.Xml.XmlReader.Create(new StringReader(text));
        return new SqlXml(reader);
    }

    private static object[] Documents()
    {
        using var document = JsonDocument.Parse("""{"a": [1, null, "x"]}""");
        return
        [
            document.RootElement.Clone(), JsonDocument.Parse("""[1.50, true]"""), new JsonObject { ["a"] = 1, ["b"] = null },
            new JsonArray(1, "b"), JsonValue.Create("v"),
            XElement.Parse("<a x='1'> b<!--c--><d/>\u00e9</a>", LoadOptions.PreserveWhitespace),
            XDocument.Parse("<?xml version='1.0' encoding='utf-8'?><!--c--><a>b</a>"), (XName)"{urn:a}b",
            (XNamespace)"urn:a", new XAttribute("x", "y"), new XDeclaration("1.0", "utf-8", "yes"),
        ];
    }

    private static object[] Errors() =>
    [
        new ReflectionTypeLoadException([typeof(int), null], [new TimeoutException("in")], "some types"),
        new JsonException("text", "$.a", 3, 4), new AggregateException("m", new TimeoutException("in")),
        new CultureNotFoundException("p", "xx-none", "text"), new HttpProtocolException(1, "text", null),
        new HttpIOException(HttpRequestError.ConnectionError, "text"), new LicenseException(typeof(int)),
        Record.Exception(static () => new System.Text.RegularExpressions.Regex("("))!,
        Record.Exception(static () => JsonNode.Parse("["))!, new ObjectDisposedException("o"),
    ];
}
