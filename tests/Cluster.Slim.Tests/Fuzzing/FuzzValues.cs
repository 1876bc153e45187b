using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Dynamic;
using static Cluster.Slim.Tests.Fuzzing.FuzzTypes;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>One small value of every family that Slim carries.</summary>
internal static class FuzzValues
{
    public static readonly object[] All =
    [
        .. Scalars(), .. OfFramework(), .. Arrays(), .. Lists(), .. Sets(), .. Maps(), .. Immutables(), .. Own(), .. Errors(),
        .. Framework.FrameworkSamples.Small,
    ];

    private static object[] Scalars() =>
    [
        true, (byte)1, (sbyte)-1, 'x', (short)-2, (ushort)2, -3, 3u, -4L, 4UL, (Int128)5, (UInt128)6, (Half)0.5,
        1.5f, 2.5, 1.25m, DateTime.UnixEpoch, DateTimeOffset.UnixEpoch, TimeSpan.FromHours(1),
        new DateOnly(2026, 1, 2),
        new TimeOnly(3, 4), Guid.Empty, new Rune('r'), new Index(1, true), 1..^2, new BigInteger(1e20), Complex.One,
        "narrow", "Grüße 漢", new Vector3(1, 2, 3), Colour.Blue,
    ];

    private static object[] OfFramework() =>
    [
        new Version(1, 2, 3, 4), new Uri("https://example.org/a"), IPAddress.IPv6Loopback,
        new IPEndPoint(IPAddress.Loopback, 80), CultureInfo.GetCultureInfo("de-DE"), new StringBuilder("built"),
        new BitArray(11, true), typeof(Node), Encoding.UTF8, TimeZoneInfo.Utc, new object(),
        new InvalidOperationException("outer", new ArgumentException("inner", "name")),
        new AggregateException(new TimeoutException(), new IOException("disk")), new Lazy<string>("done"),
        System.Drawing.Color.Chocolate, System.Drawing.Color.FromName("own"),
        KeyValuePair.Create("key", 1), Tuple.Create(1, "two", new Node()), (1, "two"), new Lazy<object>(new Node()),
    ];

    private static object[] Errors()
    {
        InvalidOperationException odd = new("odd");
        odd.Data["text"] = 1;
        odd.Data[new Key("k", 1)] = new Node();
        odd.Data[(1, "b")] = odd;
        return
        [
            odd, new System.Reflection.ReflectionTypeLoadException([typeof(int), null], [new TimeoutException()], "m"),
            new System.Text.Json.JsonException("m", "$.a", 1, 2),
        ];
    }

    private static object[] Arrays() =>
    [
        new byte[] { 1, 2, 3 }, new[] { 1, 2, 3, 4, 5 }, new[] { true, false }, new[] { 1m, 2m },
        new string?[] { "a", null },
        new object?[] { 1, "a", null, 2.5, new Node { Number = 1 } }, new int[2, 3], new string?[1, 2, 1],
        Array.CreateInstance(typeof(short), [2, 2], [-1, 5]), new int[][] { [1], [2, 3], [] }, new Point[3],
        new DateTime[2], new Empty[2], new int?[] { 1, null }, new Node?[] { new(), null, new() },
        new Memory<int>([1, 2, 3], 1, 2), new ReadOnlyMemory<byte>([1, 2, 3]),
        new ArraySegment<string>(["a", "b"], 0, 1),
        new ReadOnlySequence<byte>(new byte[] { 1, 2 }), ImmutableArray.Create(1, 2, 3),
        new ArraySegment<Node>([new()]),
    ];

    private static object[] Lists() =>
    [
        new List<int> { 1, 2, 3 }, new List<object?> { 1, "two", null }, new List<Node> { new() { Text = "n" } },
        new Queue<int>([1, 2]), new Stack<string>(["a", "b"]), new LinkedList<long>([1, 2]),
        new ConcurrentQueue<int>([1]), new ConcurrentStack<int>([1, 2]), new ConcurrentBag<int>([1, 2]),
        new Collection<Node> { new() }, new ObservableCollection<int> { 1 }, new ArrayList { 1, "a" },
        new Queue(new object[] { 1 }), new Stack(new object[] { 1, 2 }), new StringCollection { "a", "b" },
        new List<int> { 1, 2 }.AsReadOnly(), new PriorityQueue<string, int>([("b", 2), ("a", 1)]),
        new ReadOnlyDictionary<string, int>(new Dictionary<string, int> { ["a"] = 1 }),
    ];

    private static object[] Sets() =>
    [
        new HashSet<string>(["a", "B"], StringComparer.OrdinalIgnoreCase), new HashSet<Key> { new("a", 1) },
        new HashSet<object>([new Node()], ReferenceEqualityComparer.Instance), new SortedSet<int>([3, 1, 2]),
        new SortedSet<Order>([new(1), new(2)]),
        new SortedSet<string>(
            ["a", "b"], StringComparer.Create(CultureInfo.InvariantCulture, CompareOptions.IgnoreCase)),
        new HashSet<object> { 1, "a" }, new HashSet<(int, string)> { (1, "a") },
    ];

    private static object[] Maps() =>
    [
        new Dictionary<string, object> { ["a"] = 1, ["b"] = "two" }, new Dictionary<int, string> { [1] = "a" },
        new Dictionary<Key, Node> { [new Key("k", new Node())] = new() }, new Dictionary<object,
        int> { [1] = 1, ["a"] = 2 },
        new SortedDictionary<int, string> { [2] = "b", [1] = "a" }, new SortedDictionary<Order, int> { [new(1)] = 1 },
        new SortedList<string, int> { ["a"] = 1, ["b"] = 2 }, new OrderedDictionary<string,
        int> { ["z"] = 1, ["a"] = 2 },
        new ConcurrentDictionary<string, int>([KeyValuePair.Create("a", 1), KeyValuePair.Create("b", 2)]),
        new Hashtable { ["a"] = 1, [2] = "b" }, Expando(), new SortedList<object, int> { [1] = 1, [2] = 2 },
    ];

    private static object[] Immutables() =>
    [
        ImmutableList.Create(1, 2), ImmutableList.Create<object>(new Node()), ImmutableQueue.Create(1, 2),
        ImmutableStack.Create("a", "b"), ImmutableHashSet.Create("a", "b"), ImmutableSortedSet.Create(2, 1),
        ImmutableDictionary<string, int>.Empty.Add("a", 1), ImmutableSortedDictionary<int, string>.Empty.Add(1, "a"),
        new[] { "a", "b" }.ToFrozenSet(), new Dictionary<string, int> { ["a"] = 1 }.ToFrozenDictionary(),
        ImmutableHashSet.Create(new Key("a", null)), new[] { new Key("b", 1) }.ToFrozenSet(),
        ImmutableDictionary<Key, int>.Empty.Add(new Key("a", null), 1), ImmutableSortedSet.Create(new Order(1)),
    ];

    private static object[] Own()
    {
        Node ring = new() { Number = 1, Text = "ring" };
        ring.Next = new Node { Next = ring, Any = ring, Flag = true };
        Key key = new("a", new List<object> { 1 });
        return
        [
            ring, new Generic<List<int>> { Value = [1], Inner = new() },
            new Generic<Point> { Value = new(1, 2, true) }, key,
            new Order(5) { Part = ring }, new Point(1, 2, true), default(Empty),
            new Holder { First = 1, Second = "s", Address = 0 },
            default(Three),
            new Nested { Place = new(1, 2, true), Names = default, Held = new Holder { Second = "h" } },
            new Overlaid { Number = 7 }, new OwnList { Name = "mine" }, new OwnMap { ["a"] = 1 },
            new OwnMap(StringComparer.Ordinal) { Owner = ring }, new ByName { new Node { Text = "a" } },
            new OwnException("own", new TimeoutException()) { Where = new Node() }, new Weight(5),
            new Weight?[] { new(1) },
            new Parcel { Size = 1, Content = ring }, new Generic<Parcel> { Value = new Parcel { Content = 5 } },
        ];
    }

    private static ExpandoObject Expando()
    {
        ExpandoObject value = new();
        value.TryAdd("name", 1);
        value.TryAdd("other", "text");
        return value;
    }
}
