using System.Collections.Specialized;
using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Format;

/// <summary>Messages whose bytes are a promise, and what reading them has to give.</summary>
internal static class GoldenCases
{
    private static readonly SlimSerializer Full = new();
    private static readonly SlimSerializer Known = new(new SlimOptions { Schema = SlimSchema.Known });

    private static readonly SlimSerializer Comparing = new(new SlimOptions().Allow<Modulo>());

    private static readonly object[] Singletons =
    [
        DBNull.Value, EventArgs.Empty, StringComparer.OrdinalIgnoreCase, Comparer.DefaultInvariant,
        ReferenceEqualityComparer.Instance,
    ];

    private static readonly SlimSerializer Referring =
        new(new SlimOptions().UseExternalReferences(static type => type == typeof(IFormattable)));

    public static readonly Dictionary<string, (Func<byte[]> Write, Action<byte[]> Check)> All = new()
    {
        ["int32"] = Case(Full, -5),
        ["text-null"] = Case<string?>(Full, null),
        ["text-ascii"] = Case(Full, "plain"),
        ["text-wide"] = Case(Full, "漢\uD800\0"),
        ["decimal"] = Case(Full, -1.50m),
        ["datetime"] = Case(Full, new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc)),
        ["datetimeoffset"] = Case(Full, new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(-3))),
        ["guid"] = Case(Full, Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")),
        ["nullable"] = Case<long?>(Full, 7),
        ["array-int"] = Case(Full, new[] { 1, 2, 3 }),
        ["array-grid"] = Case(Full, new byte[2, 2] { { 1, 2 }, { 3, 4 } }),
        ["array-object"] = Case(Full, new object?[] { 1, "a", null, true, 2.5 }),
        ["list-text"] = Case(Full, new List<string> { "a", "b" }),
        ["map"] = Case(Full, new Dictionary<string, object> { ["a"] = 1, ["b"] = "two" }),
        ["set-comparer"] = Case(Full, new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "A" }),
        ["set-comparer-own"] = (
            () => Comparing.Serialize(new HashSet<int>(new Modulo { Divisor = 10 }) { 1, 12 }),
            bytes => Assert.Contains(22, Comparing.Deserialize<HashSet<int>>(bytes))),
        ["comparers"] = (
            () => Full.Serialize<object[]>(Singletons),
            bytes => Assert.All(
                Full.Deserialize<object[]>(bytes).Zip(Singletons), pair => Assert.Same(pair.Second, pair.First))),
        ["untyped"] = (
            () => Full.Serialize<IDictionary>(new OrderedDictionary(StringComparer.Ordinal) { ["b"] = 1, ["a"] = "x" }),
            bytes => Assert.Equal("x", ((OrderedDictionary)Full.Deserialize<IDictionary>(bytes))[1])),
        ["names"] = (
            () => Full.Serialize(new NameValueCollection { { "n", "1" }, { "n", "2" }, { null, "3" } }),
            bytes => Assert.Equal("1,2", Full.Deserialize<NameValueCollection>(bytes)["N"])),
        ["zone"] = Case(Full, TimeZoneInfo.CreateCustomTimeZone("Own", TimeSpan.FromMinutes(-90), "d", "s")),
        ["sorted"] = Case(Full, new SortedDictionary<int, string> { [2] = "b", [1] = "a" }),
        ["immutable"] = Case(Full, ImmutableList.Create(1, 2)),
        ["tuple"] = Case(Full, Tuple.Create(1, "a")),
        ["version"] = Case(Full, new Version(1, 2, 3)),
        ["uri"] = Case(Full, new Uri("https://example.org/a")),
        ["endpoint"] = Case(Full, new IPEndPoint(IPAddress.Loopback, 80)),
        ["type"] = Case(Full, typeof(Dictionary<string, object>)),
        ["record-full"] = Case(Full, new Line("sku", 3, 1.5m)),
        ["record-known"] = Case(Known, new Line("sku", 3, 1.5m)),
        ["struct-list"] = (
            () => Full.Serialize(new List<Trade> { new(1, 2.5m, true, 4), new(-1, 0, false, long.MaxValue) }),
            bytes => Assert.Equal(new Trade(1, 2.5m, true, 4), Full.Deserialize<List<Trade>>(bytes)[0])),
        ["cycle"] = (() => Full.Serialize(Ring()), bytes => CheckRing(Full.Deserialize<Node>(bytes))),
        ["deep"] = (() => Known.Serialize(Chain(200)), bytes => CheckChain(Known.Deserialize<Node>(bytes), 200)),
        ["deep-values"] = (
            () => Full.Serialize(Levels(70)),
            bytes => Assert.True(Full.Serialize(Full.Deserialize<Level>(bytes)).AsSpan().SequenceEqual(bytes))),
        ["polymorphic"] = (
            () => Full.Serialize(new Shape[] { new Circle { Radius = 1 }, new Square { Side = 2 }, new Circle() }),
            bytes => Assert.Equal(2, ((Square)Full.Deserialize<Shape[]>(bytes)[1]).Side)),
        ["host-reference"] = (WriteReferences, CheckReferences),
        ["exception"] = (
            () => Full.Serialize<Exception>(new InvalidOperationException("out", new TimeoutException("in"))),
            bytes => Assert.Equal("in", Full.Deserialize<Exception>(bytes).InnerException!.Message)),
    };

    private static byte[] WriteReferences()
    {
        System.Buffers.ArrayBufferWriter<byte> output = new();
        SlimMessageWriter writer = new(Referring);
        writer.Begin(output, new Numbers());
        writer.Write(new IFormattable[] { 1.5, 7 });
        writer.Complete();
        return output.WrittenSpan.ToArray();
    }

    private static void CheckReferences(byte[] bytes)
    {
        SlimMessageReader reader = new(Referring);
        reader.Begin(new System.Buffers.ReadOnlySequence<byte>(bytes), new Numbers());
        Assert.Equal([258, 259], reader.Read<IFormattable[]>());
        reader.Complete();
    }

    private static (Func<byte[]> Write, Action<byte[]> Check) Case<T>(SlimSerializer slim, T value) =>
        (() => slim.Serialize(value), bytes => Assert.Equal(value, slim.Deserialize<T>(bytes)));

    private static Node Ring()
    {
        Node first = new() { Number = 1 };
        first.Next = new Node { Number = 2, Next = first };
        return first;
    }

    private static void CheckRing(Node back)
    {
        Assert.Same(back, back.Next!.Next);
        Assert.Equal((1, 2), (back.Number, back.Next.Number));
    }

    private static Node Chain(int length)
    {
        Node first = new();
        for (var i = 1; i < length; i++)
            first = new Node { Number = i, Next = first };
        return first;
    }

    private static void CheckChain(Node? back, int length)
    {
        for (var i = length - 1; i >= 0; i--, back = back.Next)
            Assert.Equal(i, back!.Number);
        Assert.Null(back);
    }

    // Three levels each: the object, a nullable and the pair in it.
    private static Level Levels(int count)
    {
        Level first = new();
        for (var i = 1; i < count; i++)
            first = new Level { Inner = new((byte)i, first) };
        return first;
    }

    public sealed class Modulo : IEqualityComparer<int>
    {
        public int Divisor;

        public bool Equals(int x, int y) => x % Divisor == y % Divisor;

        public int GetHashCode(int obj) => obj % Divisor;
    }

    public sealed record Line(string Sku, int Count, decimal Price);

    public readonly record struct Trade(int Id, decimal Price, bool Flag, long Time);

    public sealed class Node
    {
        public int Number;
        public Node? Next;
    }

    public sealed class Level
    {
        public KeyValuePair<byte, Level>? Inner;
    }

    public abstract class Shape;

    public sealed class Circle : Shape
    {
        public double Radius;
    }

    public sealed class Square : Shape
    {
        public double Side;
    }

    /// <summary>Puts numbers from 258 on into the places of its objects.</summary>
    private sealed class Numbers : ISlimReferences
    {
        private int _next = 258;

        public int Export(Type declared, object value) => _next++;

        public object Import(Type declared, int number) => number;
    }
}
