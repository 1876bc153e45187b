using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Nullable values and structs of users, in every place.</summary>
[Trait("Case", "slim-B")]
public sealed class StructTests
{
    [Fact]
    public void Nullables_ComeBackInEveryPlace()
    {
        RoundTripMatrix.CheckEqual<int?>(null, 0, 5);
        RoundTripMatrix.CheckEqual<Point?>(null, default(Point), new Point(1, 2));
        RoundTripMatrix.CheckEqual(new WithNullables(null, null, null), new WithNullables(1, new Point(1, 2), 7));
        int?[] numbers = [1, null, 3];
        RoundTripMatrix.Check(numbers, back => Assert.Equal(numbers, back));
        List<Point?> points = [new(1, 2), null];
        RoundTripMatrix.Check(points, back => Assert.Equal(points, back));
        Dictionary<int, Guid?> map = new() { [1] = null, [2] = Guid.Empty };
        RoundTripMatrix.Check(map, back => Assert.Equal(map, back));
    }

    [Fact]
    public void BoxedNullable_IsABoxOfTheValue()
    {
        object? full = (Point?)new Point(1, 2);
        object? empty = (Point?)null;
        RoundTripMatrix.Check(new[] { full, empty, (int?)5 }, back =>
        {
            Assert.IsType<Point>(back[0]);
            Assert.Null(back[1]);
            Assert.IsType<int>(back[2]);
        }, static options => options.Allow<Point>());
    }

    [Fact]
    public void Structs_WithEveryKindOfField_ComeBack()
    {
        Mixed mixed = new()
        {
            Name = "n", Point = new Point(1, 2), Numbers = [1, 2], Empty = default, Flag = true, Any = 5,
            Inner = new Outer<Point>(new Inner<Point>([new Point(3, 4)], 'c'), null),
        };
        RoundTripMatrix.Check(mixed, back => CheckMixed(mixed, back));
        RoundTripMatrix.Check(new[] { mixed, default }, back => CheckMixed(mixed, back[0]));
        RoundTripMatrix.Check<object>(mixed, back => CheckMixed(mixed, (Mixed)back), static o => o.Allow<Mixed>());
    }

    [Fact]
    public void EmptyStructs_TakeAByte_AndComeBack()
    {
        RoundTripMatrix.CheckEqual(default(Nothing));
        RoundTripMatrix.Check(new Nothing[300], back => Assert.Equal(300, back.Length));
        RoundTripMatrix.Check(new Dictionary<int, Nothing> { [1] = default }, back => Assert.Single(back));
    }

    [Fact]
    public void StructThatHoldsTheArrayItLiesIn_IsACycleAgain()
    {
        var array = new Looped[3];
        array[0].Array = array;
        array[2] = new Looped { Array = array, Number = 7 };
        RoundTripMatrix.Check(array, back =>
        {
            Assert.Same(back, back[0].Array);
            Assert.Same(back, back[2].Array);
            Assert.Null(back[1].Array);
            Assert.Equal(7, back[2].Number);
        });
    }

    [Fact]
    public void StructsBehindInterfaces_AreBoxesOfTheirType()
    {
        IShaped[] shapes = [new Round(1), new Square(2), new Round(1)];
        RoundTripMatrix.Check(shapes, back =>
        {
            Assert.Equal(new Round(1), Assert.IsType<Round>(back[0]));
            Assert.Equal(2, Assert.IsType<Square>(back[1]).Side);
            Assert.NotSame(back[0], back[2]);
        });
    }

    [Fact]
    public void StructOfSixtyFields_KeepsEachOfThem()
    {
        var fields = typeof(Sixty).GetConstructors()[0].GetParameters();
        Assert.Equal(60, fields.Length);
        object?[] values =
            [.. fields.Select((f, i) => Convert.ChangeType(i, f.ParameterType, CultureInfo.InvariantCulture))];
        RoundTripMatrix.CheckEqual((Sixty)Activator.CreateInstance(typeof(Sixty), values)!);
    }

    [Fact]
    public void KeysThatAreStructs_AreFound()
    {
        Dictionary<Point, string> map = new() { [new Point(1, 2)] = "a", [default] = "b" };
        RoundTripMatrix.Check(map, back => Assert.Equal(("a", "b"), (back[new Point(1, 2)], back[default])));
    }

    [Fact]
    public void TypesThatCannotBeBoxed_AreRefused()
    {
        SlimSerializer slim = new();
        var message = slim.Serialize<object?>(null);
        Type[] types =
            [typeof(ReadOnlySpan<int>), typeof(int*), typeof(int).MakeByRefType(), typeof(List<>), typeof(void)];
        foreach (var type in types)
        {
            Assert.Throws<ArgumentException>(() => new SlimOptions().Allow(type));
            var error =
                Assert.Throws<ArgumentException>(() => slim.DeserializeRoots(new(message), [type]));
            Assert.Contains("not a type of values", error.Message, StringComparison.Ordinal);
        }
    }

    private static void CheckMixed(Mixed expected, Mixed actual)
    {
        Assert.Equal(
            (expected.Name, expected.Point, expected.Flag, expected.Any),
            (actual.Name, actual.Point, actual.Flag, actual.Any));
        Assert.Equal(expected.Numbers, actual.Numbers);
        Assert.Equal(expected.Inner.Content.Items, actual.Inner.Content.Items);
        Assert.Equal(expected.Inner.Content.Letter, actual.Inner.Content.Letter);
        Assert.Null(actual.Inner.Maybe);
    }

    private readonly record struct Point(int X, double Y);

    private readonly record struct Nothing;

    private sealed record WithNullables(int? Number, Point? Point, object? Any);

    private readonly record struct Inner<T>(T[] Items, char Letter);

    private readonly record struct Outer<T>(Inner<T> Content, Inner<T>? Maybe);

    private struct Mixed
    {
        public string Name;
        public Point Point;
        public int[] Numbers;
        public Nothing Empty;
        public bool Flag;
        public object Any;
        public Outer<Point> Inner;
    }

    private struct Looped
    {
        public int Number;
        public Looped[]? Array;
    }

    private interface IShaped;

    private readonly record struct Round(double Radius) : IShaped;

    private readonly record struct Square(double Side) : IShaped;

    private readonly record struct Sixty(
        int A0, int A1, int A2, int A3, int A4, int A5, int A6, int A7, int A8, int A9,
        long B0, long B1, long B2, long B3, long B4, long B5, long B6, long B7, long B8, long B9,
        string C0, string C1, string C2, string C3, string C4, string C5, string C6, string C7, string C8, string C9,
        byte D0, byte D1, byte D2, byte D3, byte D4, byte D5, byte D6, byte D7, byte D8, byte D9,
        double E0, double E1, double E2, double E3, double E4, double E5, double E6, double E7, double E8, double E9,
        decimal F0, decimal F1, decimal F2, decimal F3, decimal F4, decimal F5, decimal F6, decimal F7, decimal F8, decimal F9);
}
