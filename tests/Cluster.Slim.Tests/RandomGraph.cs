namespace Cluster.Slim.Tests;

/// <summary>Builds a random object graph from a seed, and describes graphs so that equal text means isomorphic ones:
/// objects are numbered in the order of a walk, so the text tells which places share one.</summary>
internal sealed class RandomGraph(int seed)
{
    private readonly Random _random = new(seed);
    private readonly List<object> _objects = [];

    public object Build()
    {
        var count = _random.Next(1, 250);
        for (var i = 0; i < count; i++)
            _objects.Add(NewObject());
        foreach (var item in _objects.ToArray())
            Fill(item);
        return _objects[0];
    }

    public static List<object> ObjectsOf(object root)
    {
        Walk walk = new();
        walk.Run(root);
        return walk.Objects;
    }

    public static string Describe(object root) => new Walk().Run(root);

    private object NewObject() => _random.Next(9) switch
    {
        0 => new Derived { Number = _random.Next() },
        1 => new object?[_random.Next(6)],
        2 => new List<object?>(),
        3 => new Dictionary<string, object?>(),
        4 => new Record(_random.Next(3), "r"),
        5 => new HashSet<object>(ReferenceEqualityComparer.Instance),
        6 => (object)_random.NextDouble(),
        7 when _objects.Count > 0 => Tuple.Create(Pick(), Pick()),
        _ => new Node { Number = _random.Next(100) },
    };

    private void Fill(object target)
    {
        switch (target)
        {
            case Node node:
                node.Left = PickOrNull();
                node.Next = PickOrNull() as Node;
                node.Both = new Pair { First = PickOrNull(), Name = _random.Next(2) == 0 ? null : "n" };
                break;
            case object?[] array:
                for (var i = 0; i < array.Length; i++)
                    array[i] = PickOrNull();
                break;
            case List<object?> list:
                for (var i = _random.Next(5); i > 0; i--)
                    list.Add(PickOrNull());
                break;
            case Dictionary<string, object?> map:
                for (var i = _random.Next(5); i > 0; i--)
                    map["k" + i] = PickOrNull();
                break;
            case HashSet<object> set:
                for (var i = _random.Next(5); i > 0; i--)
                    set.Add(Pick());
                break;
        }
    }

    private object Pick() => _objects[_random.Next(_objects.Count)];

    private object? PickOrNull() => _random.Next(5) == 0 ? null : Pick();

    public class Node
    {
        public int Number;
        public object? Left;
        public Node? Next;
        public Pair Both;
    }

    public sealed class Derived : Node
    {
        public new long Number;
    }

    public struct Pair
    {
        public object? First;
        public string? Name;
    }

    public sealed record Record(int Number, string Text);

    /// <summary>One walk over a graph, breadth first.</summary>
    private sealed class Walk
    {
        private readonly Dictionary<object, int> _numbers = new(ReferenceEqualityComparer.Instance);
        private readonly StringBuilder _text = new();

        public List<object> Objects { get; } = [];

        public string Run(object root)
        {
            NumberOf(root);
            for (var i = 0; i < Objects.Count; i++)
            {
                var value = Objects[i];
                _text.Append(CultureInfo.InvariantCulture, $"\n{i} {value.GetType().Name}");
                foreach (var part in PartsOf(value))
                    _text.Append(' ').Append(part is string text ? text : NumberOf(part));
            }

            return _text.ToString();
        }

        private string NumberOf(object? value)
        {
            if (value is null)
                return "-";
            if (!_numbers.TryGetValue(value, out var number))
            {
                number = Objects.Count;
                _numbers.Add(value, number);
                Objects.Add(value);
            }

            return "#" + number.ToString(CultureInfo.InvariantCulture);
        }

        private static IEnumerable<object?> PartsOf(object value) => value switch
        {
            Node node => [TextOf(node), node.Left, node.Next, node.Both.First, node.Both.Name],
            Dictionary<string, object?> map => map.SelectMany(static p => new[] { p.Key, p.Value }),
            IEnumerable<object?> items => items,
            Tuple<object, object> tuple => [tuple.Item1, tuple.Item2],
            _ => [string.Create(CultureInfo.InvariantCulture, $"{value}")],
        };

        private static string TextOf(Node node) => string.Create(
            CultureInfo.InvariantCulture, $"{node.Number}/{(node as Derived)?.Number}");
    }
}
