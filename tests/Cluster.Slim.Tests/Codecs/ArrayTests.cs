using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Arrays of every rank, bound, element and place.</summary>
[Trait("Case", "slim-C")]
public sealed class ArrayTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void EmptyAndJaggedArrays_ComeBack()
    {
        RoundTripMatrix.Check(Array.Empty<int>(), Assert.Empty);
        int[]?[] two = [[1], null, [], [2, 3]];
        RoundTripMatrix.Check(two, back => Assert.Equal(two, back));
        string?[]?[][] three = [[["a", null], null], [], [[]]];
        RoundTripMatrix.Check(three, back => Assert.Equal(three, back));
    }

    [Fact]
    public void Grids_WithAZeroInEachPosition_KeepTheirLengths()
    {
        for (var zero = -1; zero < 4; zero++)
        {
            CheckLengths(new int[LengthOf(zero, 0), LengthOf(zero, 1)]);
            CheckLengths(new string[LengthOf(zero, 0), LengthOf(zero, 1), LengthOf(zero, 2)]);
            CheckLengths(new bool[LengthOf(zero, 0), LengthOf(zero, 1), LengthOf(zero, 2), LengthOf(zero, 3)]);
        }
    }

    [Fact]
    public void Grids_KeepEveryElement()
    {
        int[,] two = { { 1, 2, 3 }, { 4, 5, 6 } };
        RoundTripMatrix.Check(two, back => Assert.Equal(two, back));
        decimal[,,] three = { { { 1m, 1.0m } }, { { -2m, 0m } } };
        RoundTripMatrix.Check(three, back => Assert.Equal(three, back));
        object?[,] objects = { { 1, "a" }, { null, new[] { 2 } } };
        RoundTripMatrix.Check(objects, back => Assert.Equal(objects, back));
    }

    [Fact]
    public void Ranks_UpTo32_ComeBack()
    {
        var array = Array.CreateInstance(typeof(byte), [.. Enumerable.Repeat(1, 32)]);
        array.SetValue((byte)7, new int[32]);
        SlimSerializer slim = new(new SlimOptions().Allow(array.GetType()));
        var back = (Array)slim.DeepClone<object>(array);
        Assert.Equal(array.GetType(), back.GetType());
        Assert.Equal((byte)7, back.GetValue(new int[32]));
    }

    [Theory]
    [InlineData(typeof(uint), 1)]
    [InlineData(typeof(string), 3)]
    [InlineData(typeof(object), -5)]
    [InlineData(typeof(int), int.MaxValue - 5)]
    public void LowerBounds_ComeBack(Type element, int bound)
    {
        var one = Array.CreateInstance(element, [5], [bound]);
        var two = Array.CreateInstance(element, [2, 1], [4, bound]);
        SlimSerializer slim = new(new SlimOptions().Allow(one.GetType()).Allow(two.GetType()));
        one.SetValue(Convert.ChangeType(7, element, null), bound + 4);
        two.SetValue(Convert.ChangeType(8, element, null), 5, bound);
        Array[] back = [(Array)slim.DeepClone<object>(one), (Array)slim.DeepClone<object>(two)];
        Assert.Equal((one.GetType(), bound), (back[0].GetType(), back[0].GetLowerBound(0)));
        Assert.Equal(one.GetValue(bound + 4), back[0].GetValue(bound + 4));
        Assert.Equal((4, bound), (back[1].GetLowerBound(0), back[1].GetLowerBound(1)));
        Assert.Equal(two.GetValue(5, bound), back[1].GetValue(5, bound));
    }

    [Fact]
    public void ArraysInWiderPlaces_KeepTheirType_AndItsChecks()
    {
        object[] objects = [new int[1, 1], new int[1, 1, 1], new[] { "a" }, new object[] { 1 }];
        RoundTripMatrix.Check(
            objects,
            back => Assert.Equal(objects.Select(o => o.GetType()), back.Select(o => o.GetType())),
            static options => options.Allow<int[,]>().Allow<int[,,]>());
        RoundTripMatrix.Check<object[]>(new string[] { "a" }, back =>
        {
            Assert.IsType<string[]>(back);
            Assert.Throws<ArrayTypeMismatchException>(() => back[0] = 5);
        });
        Wide wide = new() { Signed = (int[])(object)new uint[] { 1 }, Unsigned = (uint[])(object)new[] { -1 } };
        RoundTripMatrix.Check(wide, back =>
        {
            Assert.IsType<uint[]>((object)back.Signed);
            Assert.IsType<int[]>((object)back.Unsigned);
        });
        var shapes = (IShape[])(object)new Ring[] { new() { Rings = [] } };
        RoundTripMatrix.Check(shapes, back => Assert.IsType<Ring[]>(back));
    }

    [Fact]
    public void ArrayThatContainsItself_IsACycleAgain()
    {
        var self = new object[3];
        self[0] = self;
        self[1] = new List<object> { self };
        RoundTripMatrix.Check(self, back =>
        {
            Assert.Same(back, back[0]);
            Assert.Same(back, ((List<object>)back[1])[0]);
        });
        var typed = new Array[1];
        typed[0] = typed;
        RoundTripMatrix.Check<object>(
            typed, back => Assert.Same(back, ((Array[])back)[0]), static options => options.Allow<Array[]>());
    }

    [Fact]
    public void ArrayInTwoFields_IsOneArray()
    {
        int[] shared = [1, 2];
        RoundTripMatrix.Check((shared, shared, new[] { 1, 2 }), back =>
        {
            Assert.Same(back.Item1, back.Item2);
            Assert.NotSame(back.Item1, back.Item3);
        });
    }

    [Fact]
    public void BoxedDuplicates_AreTheBoxesTheyWere()
    {
        object box = 5;
        object[] boxes = [.. Enumerable.Range(0, 10_000).Select(i => i % 2 == 0 ? box : i)];
        var back = _slim.DeepClone(boxes);
        Assert.Equal(boxes, back);
        Assert.All(back.Where((_, i) => i % 2 == 0), o => Assert.Same(back[0], o));
    }

    [Theory]
    [InlineData(200)]
    [InlineData(300)]
    public void RunsOfNulls_ComeBack(int count)
    {
        object?[] objects = [1, .. new object?[count], 2, .. new object?[count]];
        RoundTripMatrix.Check(objects, back => Assert.Equal(objects, back));
        string?[] texts = [.. new string?[count], "a"];
        RoundTripMatrix.Check(texts, back => Assert.Equal(texts, back));
    }

    [Fact]
    public void ElementsOfEveryKind_ComeBack()
    {
        bool[] flags = [.. Enumerable.Range(0, 100_000).Select(i => i % 3 == 0)];
        Assert.True(flags.AsSpan().SequenceEqual(_slim.DeepClone(flags)));
        RoundTripMatrix.CheckEqual<object>(
            new[] { 1m, 1.0m }, new[] { DateTime.UnixEpoch }, new[] { Guid.Empty, Guid.AllBitsSet });
        DayOfWeek?[] days = [DayOfWeek.Friday, null];
        RoundTripMatrix.Check(days, back => Assert.Equal(days, back));
        int?[] numbers = [1, null];
        RoundTripMatrix.Check(numbers, back => Assert.Equal(numbers, back));
        (int, string)[] pairs = [(1, "a"), default];
        RoundTripMatrix.Check(pairs, back => Assert.Equal(pairs, back));
    }

    [Theory]
    [InlineData(0xFF, 0xFF, 0xFF, 0xFF, 0x0F)]
    [InlineData(0xFF, 0xFF, 0xFF, 0xFF, 0x07)]
    [InlineData(0x80, 0x80, 0x80, 0x80, 0x08)]
    public void Counts_ThatAreNegativeOrTooLarge_AreRefused(params int[] count)
    {
        var message = _slim.Serialize(new[] { 1, 2, 3 });
        var at = message.Length - 13;
        Assert.Equal(3, message[at]);
        byte[] forged = [.. message[..at], .. count.Select(b => (byte)b), .. message[(at + 1)..]];
        Assert.IsType<SlimMalformedException>(Record.Exception(() => _slim.Deserialize<int[]>(forged)));
    }

    private static void CheckLengths(Array array)
    {
        int[] lengths = [.. Enumerable.Range(0, array.Rank).Select(array.GetLength)];
        SlimSerializer slim = new(new SlimOptions().Allow(array.GetType()));
        var back = (Array)slim.DeepClone<object>(array);
        Assert.Equal(array.GetType(), back.GetType());
        Assert.Equal(lengths, Enumerable.Range(0, back.Rank).Select(back.GetLength));
    }

    private static int LengthOf(int zero, int position) => position == zero ? 0 : position + 1;

    private interface IShape;

    private sealed class Ring : IShape
    {
        public Ring[]? Rings;
    }

    private sealed class Wide
    {
        public int[] Signed = [];
        public uint[] Unsigned = [];
    }
}
