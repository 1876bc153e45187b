namespace Cluster.Slim.Tests.Codecs;

/// <summary>Structs whose author placed the fields, inline arrays; and finalizers.</summary>
public sealed class LayoutTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    [Trait("Case", "slim-B")]
    public void ExplicitLayout_WithoutOverlaps_IsCarriedFieldByField()
    {
        var back = _slim.DeepClone(new Placed { Name = "n", Flag = true, Count = 7 });
        Assert.Equal(("n", true, 7), (back.Name, back.Flag, back.Count));
    }

    [Fact]
    [Trait("Case", "slim-B")]
    public void ExplicitLayout_WithOverlappingNumbers_IsOneBlock()
    {
        var back = _slim.DeepClone(new Number { Real = 1.5 });
        Assert.Equal(BitConverter.DoubleToInt64Bits(1.5), back.Whole);
        var many = _slim.DeepClone(new Number[] { new() { Whole = 1 }, new() { Whole = -1 } });
        Assert.Equal(-1, many[1].Whole);
        Assert.Equal(1.5, _slim.DeepClone(new Holder { Number = back }).Number.Real);
    }

    [Fact]
    public void ExplicitLayout_WithOverlappingValidatedValues_IsRefused()
    {
        var error =
            Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(new Sly { Bits = 2 }));
        Assert.Contains("shares bytes", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "slim-B")]
    public void InlineArrays_AndFixedBuffers_KeepEveryElement()
    {
        Rows rows = default;
        rows[0] = "a";
        rows[2] = "c";
        var back = _slim.DeepClone(rows);
        Assert.Equal(("a", null, "c"), (back[0], back[1], back[2]));

        Buffered buffered = default;
        SetLast(ref buffered, 42);
        Assert.Equal(42, Last(_slim.DeepClone(new BufferHolder { Value = buffered }).Value));
    }

    [Fact]
    public void Finalizer_NeedsAllow_AndDoesNotRunOnRefusedMessages()
    {
        Assert.Contains(".Allow<Tracked>()", Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Serialize(new Tracked { Id = 1 })).Message, StringComparison.Ordinal);
        SlimSerializer allowed = new(new SlimOptions().Allow<Tracked>());
        var message = allowed.Serialize(new Tracked { Id = 77 });
        ReadRefused(allowed, [.. message, 0]);
        Collect();
        Assert.DoesNotContain(77, Tracked.Finalized);
        Assert.Equal(77, ReadAccepted(allowed, message));
        for (var i = 0; i < 20 && !Tracked.Finalized.Contains(77); i++)
            Collect();
        Assert.Contains(77, Tracked.Finalized);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadRefused(SlimSerializer slim, byte[] message) =>
        Assert.Throws<SlimMalformedException>(() => slim.Deserialize<Tracked>(message));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int ReadAccepted(SlimSerializer slim, byte[] message) => slim.Deserialize<Tracked>(message).Id;

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    private static void SetLast(ref Buffered value, int number) =>
        MemoryMarshal.Cast<Buffered, int>(MemoryMarshal.CreateSpan(ref value, 1))[^1] = number;

    private static int Last(Buffered value) =>
        MemoryMarshal.Cast<Buffered, int>(MemoryMarshal.CreateSpan(ref value, 1))[^1];

    [StructLayout(LayoutKind.Explicit)]
    private struct Placed
    {
        [FieldOffset(0)] public string? Name;
        [FieldOffset(8)] public bool Flag;
        [FieldOffset(12)] public int Count;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct Number
    {
        [FieldOffset(0)] public double Real;
        [FieldOffset(0)] public long Whole;
    }

    [StructLayout(LayoutKind.Explicit)]
    private struct Sly
    {
        [FieldOffset(0)] public bool Flag;
        [FieldOffset(0)] public byte Bits;
    }

    [InlineArray(3)]
    private struct Rows
    {
        private string? _first;
    }

    // What the compiler makes of a fixed buffer of four numbers.
    [UnsafeValueType]
    [StructLayout(LayoutKind.Sequential, Size = 16)]
    private struct Buffered
    {
        public int FixedElementField;
    }

    private sealed class BufferHolder
    {
        public Buffered Value;
    }

    private sealed class Holder
    {
        public Number Number;
    }

    private sealed class Tracked
    {
        public static readonly System.Collections.Concurrent.ConcurrentBag<int> Finalized = [];

        public int Id;

        ~Tracked() => Finalized.Add(Id);
    }
}
