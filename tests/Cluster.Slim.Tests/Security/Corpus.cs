namespace Cluster.Slim.Tests.Security;

/// <summary>Graphs that touch every family of types, for truncation and mutation.</summary>
internal static class Corpus
{
    public static Root Graph()
    {
        Root root = new()
        {
            Id = 7, Name = "root", Wide = "Grüße", Price = 1.25m, When = DateTime.UnixEpoch, Flag = true, Maybe = 5,
            Items = [1, "two", 3.0, new Point(1, 2), Guid.Empty, DateTimeOffset.UnixEpoch, null],
            Numbers = Enumerable.Range(0, 20).ToArray(), Grid = new int[2, 2] { { 1, 2 }, { 3, 4 } },
            Keyed = new() { [new Key("a", 1)] = new Leaf { Text = "a" } },
            Names = new(StringComparer.OrdinalIgnoreCase) { "x", "y" },
            Sorted = new() { [1] = "one", [2] = "two" },
            Fixed = [new Leaf { Text = "im" }], Map = ImmutableDictionary<string, int>.Empty.Add("k", 1),
            Address = new IPEndPoint(IPAddress.Loopback, 80), Link = new Uri("https://example.org/"),
            Failure = new InvalidOperationException("bad", new ArgumentException("arg", "p")),
            Tuple = Tuple.Create(1, "t"), Kind = typeof(int), View = new List<int> { 1, 2 }.AsReadOnly(),
            Linked = new([1L, 2L]), Queue = new([new Leaf()]), Version = new Version(1, 2), Place = new Point(3, 4),
        };
        root.Self = root;
        root.Shapes = [new Circle { Radius = 1 }, new Square { Side = 2 }, null];
        root.Again = root.Items;
        return root;
    }

    public sealed class Root
    {
        public int Id;
        public string? Name;
        public string? Wide;
        public decimal Price;
        public DateTime When;
        public bool Flag;
        public int? Maybe;
        public object?[] Items = [];
        public object? Again;
        public int[] Numbers = [];
        public int[,] Grid = new int[0, 0];
        public Dictionary<Key, Leaf> Keyed = [];
        public HashSet<string> Names = [];
        public SortedDictionary<int, string> Sorted = [];
        public ImmutableList<Leaf> Fixed = [];
        public ImmutableDictionary<string, int>? Map;
        public IPEndPoint? Address;
        public Uri? Link;
        public Exception? Failure;
        public Tuple<int, string>? Tuple;
        public Type? Kind;
        public IReadOnlyList<int>? View;
        public LinkedList<long>? Linked;
        public Queue<Leaf>? Queue;
        public Version? Version;
        public Root? Self;
        public Shape?[] Shapes = [];
        public Point Place;
    }

    public sealed record Key(string Name, int Number);

    public sealed class Leaf
    {
        public string? Text;
    }

    public readonly record struct Point(int X, int Y);

    public abstract class Shape;

    public sealed class Circle : Shape
    {
        public double Radius;
    }

    public sealed class Square : Shape
    {
        public double Side;
    }

    public readonly struct Empty;

    public sealed record SelfKey
    {
        public SelfKey? Self { get; set; }
    }

    public sealed class Moody
    {
        public static bool Throws { get; set; }

        public override bool Equals(object? obj) => obj is Moody;

        public override int GetHashCode() => Throws ? throw new InvalidOperationException("mood") : 1;
    }
}
