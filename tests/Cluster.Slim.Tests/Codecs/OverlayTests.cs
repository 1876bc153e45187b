using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Acceptance case B: types whose fields share bytes, alone and beside fields that do not.</summary>
[Trait("Case", "slim-B")]
public sealed class OverlayTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void References_BesideSharedBytes_AreCarried()
    {
        Tagged tagged = new() { Name = "n", Flag = true, Real = 2.5, Number = 7 };
        RoundTripMatrix.Check(tagged, back => Assert.Equal(
            ("n", true, BitConverter.DoubleToInt64Bits(2.5), 7), (back.Name, back.Flag, back.Bits, back.Number)));
        RoundTripMatrix.Check(new[] { tagged, default }, back => Assert.Equal(2.5, back[0].Real));
        object shared = new Box { Tagged = tagged };
        var boxes = _slim.DeepClone(new Boxes { Items = [shared, shared] }).Items;
        Assert.Same(boxes[0], boxes[1]);
    }

    [Fact]
    public void Structs_InsideSharedBytes_AreCarried()
    {
        Nested nested = new() { Outer = new Pair { First = 0x0102, Inner = new Small { Low = 3, High = 4 } } };
        RoundTripMatrix.Check(nested, back =>
        {
            Assert.Equal((0x0102, 3, 4), (back.Outer.First, back.Outer.Inner.Low, back.Outer.Inner.High));
            Assert.Equal(nested.Whole, back.Whole);
        });
        Mapped mapped = new() { Whole = 0x0403_0201 };
        RoundTripMatrix.Check(mapped, back => Assert.Equal((1, 4), (back.Bytes[0], back.Bytes[3])));
    }

    [Fact]
    public void Classes_WithSharedBytes_AreCarried()
    {
        RoundTripMatrix.Check(new Union { Real = 1.5, Name = "u" }, back =>
        {
            Assert.Equal(BitConverter.DoubleToInt64Bits(1.5), back.Bits);
            Assert.Equal("u", back.Name);
        });
    }

    [Fact]
    public void SharedBytes_ThatNotEveryPatternFits_AreRefusedWithTheField()
    {
        CheckRefused(new WithFlag { Bits = 2 }, "Flag");
        CheckRefused(new WithDecimal { Bits = 2 }, "Money");
        CheckRefused(new WithNestedFlag { Bits = 2 }, "Inner");
        CheckRefused(new WithReferences { First = "a" }, "First");
    }

    [Fact]
    public void Values_ThatShareBytes_AreWrittenWithoutWhatLiesBetween()
    {
        Gap one = default;
        Gap other = default;
        MemoryMarshal.AsBytes(MemoryMarshal.CreateSpan(ref other, 1)).Fill(0xFF);
        one.Low = other.Low;
        one.High = other.High;
        Assert.Equal(_slim.Serialize(one), _slim.Serialize(other));
    }

    [Fact]
    public void InlineArray_InAKey_IsSearchedToItsLastElement()
    {
        Knot knot = new();
        Row row = default;
        row[2] = knot;
        knot.Row = row;
        var message = _slim.Serialize(new Dictionary<Knot, int>(ReferenceEqualityComparer.Instance) { [knot] = 1 });
        message[message.AsSpan().LastIndexOf(new byte[] { 5, 0, 1 })] = 0;
        Assert.Contains("contains itself", Assert.Throws<SlimMalformedException>(
            () => _slim.Deserialize<Dictionary<Knot, int>>(message)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void CollectionBehindAnInlineArray_IsCompleteBeforeTheKeyThatHoldsIt()
    {
        Row row = default;
        row[2] = new HashSet<object> { new Name("a"), new Name("b") };
        SlimSerializer slim = new(new SlimOptions().Allow<Name>().Allow<HashSet<object>>());
        Dictionary<Counting, int> map = new() { [new Counting { Row = row }] = 1 };
        Assert.Equal(1, slim.DeepClone(map)[new Counting { Row = row }]);
    }

    private void CheckRefused<T>(T value, string field)
    {
        for (var attempt = 0; attempt < 2; attempt++)
        {
            var error = Assert.Throws<SlimTypeNotSupportedException>(
                () => _slim.Serialize(new Holder<T> { Value = value }));
            Assert.Equal("Holder`1.Value", error.MemberPath);
            Assert.Contains($"its field {field} shares bytes", error.Message, StringComparison.Ordinal);
        }
    }

    private sealed class Holder<T>
    {
        public T? Value;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct Tagged
    {
        [FieldOffset(0)] public string? Name;
        [FieldOffset(8)] public double Real;
        [FieldOffset(8)] public long Bits;
        [FieldOffset(16)] public bool Flag;
        [FieldOffset(20)] public int Number;
    }

    private sealed class Box
    {
        public Tagged Tagged;
    }

    private sealed class Boxes
    {
        public object[] Items = [];
        public Box Declared = new();
    }

    private struct Small
    {
        public byte Low;
        public short High;
    }

    private struct Pair
    {
        public int First;
        public Small Inner;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct Nested
    {
        [FieldOffset(0)] public Pair Outer;
        [FieldOffset(0)] public int Whole;
    }

    [InlineArray(4)]
    private struct Bytes
    {
        private byte _first;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct Mapped
    {
        [FieldOffset(0)] public Bytes Bytes;
        [FieldOffset(0)] public uint Whole;
    }

    [StructLayout(LayoutKind.Explicit)]
    private sealed class Union
    {
        [FieldOffset(0)] public string? Name;
        [FieldOffset(8)] public double Real;
        [FieldOffset(8)] public long Bits;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct WithFlag
    {
        [FieldOffset(0)] public bool Flag;
        [FieldOffset(0)] public byte Bits;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct WithDecimal
    {
        [FieldOffset(0)] public decimal Money;
        [FieldOffset(0)] public byte Bits;
    }

    private struct Flagged
    {
        public bool Flag = true;

        public Flagged()
        {
        }
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct WithNestedFlag
    {
        [FieldOffset(0)] public Flagged Inner;
        [FieldOffset(0)] public byte Bits;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct WithReferences
    {
        [FieldOffset(0)] public object? First;
        [FieldOffset(0)] public string? Second;
    }

    [StructLayout(LayoutKind.Explicit, Size = 16)]
    private struct Gap
    {
        [FieldOffset(0)] public int Low;
        [FieldOffset(0)] public short Part;
        [FieldOffset(8)] public int High;
    }

    [InlineArray(3)]
    private struct Row
    {
        private object? _first;
    }

    private sealed record Knot
    {
        public Row Row { get; set; }
    }

    private sealed record Name(string Text);

    private sealed class Counting
    {
        public Row Row;

        public override bool Equals(object? obj) =>
            obj is Counting other && ((HashSet<object>)Row[2]!).SetEquals((HashSet<object>)other.Row[2]!);

        public override int GetHashCode() => ((HashSet<object>)Row[2]!).Count;
    }
}
