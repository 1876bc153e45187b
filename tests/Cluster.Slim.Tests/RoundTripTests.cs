namespace Cluster.Slim.Tests;

/// <summary>Graphs of user types through the public surface.</summary>
public sealed class RoundTripTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void Order_WithPrivateAndReadonlyFields_ComesBackEqual()
    {
        Order order = new(17, "first") { Note = "n", Lines = { new Line("a", 1.5m), new Line("b", 2m) } };
        var back = _slim.Deserialize<Order>(_slim.Serialize(order));
        Assert.Equal(17, back.Id);
        Assert.Equal("first", back.Name);
        Assert.Equal("n", back.Note);
        Assert.Equal(order.Lines, back.Lines);
        Assert.Equal(order.Created, back.Created);
    }

    [Fact]
    [Trait("Case", "slim-I")]
    public void Constructor_OnRead_IsNotRun()
    {
        var before = Order.Constructed;
        _slim.DeepClone(new Order(1, "x"));
        Assert.Equal(before + 1, Order.Constructed);
    }

    [Fact]
    [Trait("Case", "slim-I")]
    public void BaseAndDerivedFields_WithSameName_AreBothKept()
    {
        var back = (Derived)_slim.DeepClone<Base>(new Derived(1, 2));
        Assert.Equal((1, 2), back.Both);
    }

    [Fact]
    [Trait("Case", "slim-I")]
    public void NonSerializedField_KeepsDefault()
    {
        Assert.Equal(0, _slim.DeepClone(new WithIgnored { Kept = 3, Ignored = 4 }).Ignored);
    }

    [Fact]
    public void Polymorphism_ThroughInterfaceAndObject_KeepsTypes()
    {
        Drawing drawing = new() { Shapes = [new Circle { Radius = 2 }, new Square { Side = 3 }], Tag = 42 };
        var back = _slim.DeepClone(drawing);
        Assert.Equal(2, Assert.IsType<Circle>(back.Shapes[0]).Radius);
        Assert.Equal(3, Assert.IsType<Square>(back.Shapes[1]).Side);
        Assert.Equal(42, back.Tag);
    }

    [Fact]
    public void Dictionary_AfterRead_FindsItsKeys()
    {
        Dictionary<string, Node> map = new(StringComparer.OrdinalIgnoreCase) { ["One"] = new() { Value = 1 } };
        var back = _slim.DeepClone(map);
        Assert.Equal(1, back["ONE"].Value);
    }

    [Fact]
    public void Dictionary_KeyedByRecord_InCycle_FindsItsKeys()
    {
        Index index = new();
        Line key = new("k", 5m);
        index.ByLine[key] = index;
        var back = _slim.DeepClone(index);
        Assert.Same(back, back.ByLine[new Line("k", 5m)]);
    }

    [Fact]
    [Trait("Case", "slim-E")]
    [Trait("Case", "experience-M3")]
    public void LinkedNodes_AMillion_PassOnASmallStack()
    {
        Exception? failure = null;
        Thread thread = new(() => failure = Record.Exception(CheckMillion), 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }

    private void CheckMillion()
    {
        Node first = new();
        var last = first;
        for (var i = 1; i < 1_000_000; i++)
            last = last.Next = new Node { Value = i };
        var back = _slim.DeepClone(first);
        var count = 0;
        for (; back is not null; back = back.Next)
            Assert.Equal(count++, back.Value);
        Assert.Equal(1_000_000, count);
    }

    private sealed class Order
    {
        private readonly string _name;

        public Order(int id, string name)
        {
            Id = id;
            _name = name;
            Constructed++;
        }

        public static int Constructed { get; private set; }

        public int Id { get; }

        public string Name => _name;

        public string? Note { get; init; }

        public DateTime Created { get; } = new(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc);

        public List<Line> Lines { get; } = [];
    }

    private sealed record Line(string Sku, decimal Price);

    private sealed class Node
    {
        public int Value;
        public Node? Next;
    }

    private sealed class Index
    {
        public Dictionary<Line, Index> ByLine { get; } = [];
    }

    private class Base(int value)
    {
        private readonly int _value = value;

        public int BaseValue => _value;
    }

    private sealed class Derived(int first, int second) : Base(first)
    {
        private readonly int _value = second;

        public (int, int) Both => (BaseValue, _value);
    }

    private sealed class WithIgnored
    {
        public int Kept;

        [NonSerialized]
        public int Ignored;
    }

    private interface IShape;

    private sealed class Circle : IShape
    {
        public double Radius;
    }

    private sealed class Square : IShape
    {
        public double Side;
    }

    private sealed class Drawing
    {
        public IShape[] Shapes = [];
        public object? Tag;
    }
}
