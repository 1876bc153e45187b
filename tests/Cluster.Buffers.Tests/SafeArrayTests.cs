using Cluster.Buffers.Arithmetic;
using Cluster.Pile;

namespace Cluster.Buffers.Tests;

/// <summary>Arrays in native memory: elements, spans, memories, copies, bounds and the end of their life.</summary>
public sealed class SafeArrayTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(4096)]
    [InlineData(100_000)]
    [InlineData(5_000_000)]
    public void Array_New_IsZeroAndHoldsWhatIsWritten(int length)
    {
        using var array = new SafeArray<int>(length);
        Assert.Equal(length, array.Length);
        Assert.False(array.AsSpan().ContainsAnyExcept(0));
        for (var i = 0; i < length; i++)
            array[i] = i * 3;
        var span = array.AsSpan();
        for (var i = 0; i < length; i++)
            Assert.True(span[i] == i * 3);
    }

    [Fact]
    public void Array_ReusingMemory_IsZeroAgain()
    {
        var budget = Budgets.Create();
        foreach (var length in (int[])[3, 5000, 70_000, 9_000_000])
        {
            using (var first = new SafeArray<int>(budget.Heap, length, BufferFill.Zeroed))
                first.AsSpan().Fill(-1);
            using (var second = new SafeArray<int>(budget.Heap, length, BufferFill.Uninitialized))
                Assert.True(second.AsSpan().Contains(-1), "the memory is used again");
            using var third = new SafeArray<int>(budget.Heap, length + 1, BufferFill.Zeroed);
            Assert.False(third.AsSpan().ContainsAnyExcept(0));
        }

        Budgets.CheckEmptyAndClose(budget);
    }

    [Fact]
    public void Array_StartsAtALineOfTheCache()
    {
        using var pile = Budgets.CreatePile();
        foreach (var length in (int[])[1, 100, 5000, 40_000, 3_000_000])
        {
            foreach (var owner in (LocalPile?[])[null, pile])
            {
                using var array = new SafeArray<byte>(length, BufferFill.Zeroed, owner);
                Assert.Equal(0, AddressOf(array) % 64);
            }
        }
    }

    [Fact]
    public void Index_OutsideTheArray_IsRefused()
    {
        using var array = new SafeArray<long>(10);
        Assert.Throws<ArgumentOutOfRangeException>(() => array[-1]);
        Assert.Throws<ArgumentOutOfRangeException>(() => array[10]);
        Assert.Throws<ArgumentOutOfRangeException>(() => array.AsSpan(11));
        Assert.Throws<ArgumentOutOfRangeException>(() => array.AsSpan(5, 6).Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => array.AsSpan(-1, 2).Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => array.AsSpan(5, -1).Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => array[..11].Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => array.Pin(11));
        Assert.Equal(0, array.AsSpan(10, 0).Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => new SafeArray<long>(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new SafeArray<long>(1, (BufferFill)7));
        array.Dispose();
    }

    [Fact]
    public void Slices_ShowTheirPart()
    {
        using var array = new SafeArray<int>([0, 1, 2, 3, 4, 5]);
        Assert.Equal([3, 4, 5], array.AsSpan(3).ToArray());
        Assert.Equal([1, 2], array.AsSpan(1, 2).ToArray());
        Assert.Equal([2, 3, 4], array[2..^1].ToArray());
        Assert.Equal([4, 5], array.AsMemory()[4..].ToArray());
        array[2..^1].Fill(9);
        Assert.Equal([0, 1, 9, 9, 9, 5], array.ToArray());
        ref var last = ref array[5];
        last = 7;
        Assert.Equal(7, array[5]);
    }

    [Fact]
    public void Copies_GoBothWays()
    {
        using var array = new SafeArray<short>(4);
        array.CopyFrom([1, 2, 3]);
        var copy = new short[5];
        array.CopyTo(copy);
        Assert.Equal([1, 2, 3, 0, 0], copy);
        Assert.Throws<ArgumentException>(() => array.CopyFrom([1, 2, 3, 4, 5]));
        Assert.Throws<ArgumentException>(() => array.CopyTo(new short[3]));
        Assert.Equal([1, 2, 3, 0], array.ToArray());
    }

    [Fact]
    public void Array_Disposed_IsRefusedEverywhere()
    {
        var array = new SafeArray<int>(100);
        var memory = array.AsMemory();
        array.Dispose();
        array.Dispose();
        Assert.True(array.IsDisposed);
        Assert.Equal(100, array.Length);
        Assert.Throws<ObjectDisposedException>(() => array[0]);
        Assert.Throws<ObjectDisposedException>(() => array.AsSpan().Length);
        Assert.Throws<ObjectDisposedException>(() => array.AsSpan(1, 2).Length);
        Assert.Throws<ObjectDisposedException>(() => array.ToArray());
        Assert.Throws<InvalidPileBufferException>(() => memory.Span.Length);
        Assert.Throws<InvalidPileBufferException>(() => array.AsMemory());
        Assert.Throws<InvalidPileBufferException>(() => array.Pin());
        Assert.Throws<InvalidPileBufferException>(array.Retain);
        Assert.Throws<InvalidPileBufferException>(array.Release);
        Assert.Throws<InvalidPileBufferException>(() => array.WriteTo(Stream.Null));
    }

    [Fact]
    public void SpanKeptTooLong_NeverFaults()
    {
        var budget = Budgets.Create();
        budget.ReserveBytes = 0;
        var array = new SafeArray<int>(budget.Heap, 9_000_000, BufferFill.Zeroed);
        var span = array.AsSpan();
        span.Fill(5);
        array.Dispose();
        budget.GiveBack();
        Assert.True(span[^1] is 0 or 5);
        budget.Close();
        Assert.Equal(0, span[0]);
    }

    [Fact]
    public void Dispose_WithLeases_IsRefusedUntilTheyAreReleased()
    {
        var array = new SafeArray<int>([1, 2, 3]);
        array.Retain();
        var pin = array.Pin(2);
        Assert.Throws<PileBusyException>(array.Dispose);
        Assert.Equal(3, array[2]);
        pin.Dispose();
        Assert.Throws<PileBusyException>(array.Dispose);
        array.Release();
        Assert.Throws<InvalidPileBufferException>(array.Release);
        array.Dispose();
        Assert.True(array.IsDisposed);
    }

    [Fact]
    public void Pin_GivesTheAddressOfTheElement()
    {
        using var array = new SafeArray<int>([10, 20, 30]);
        using (var pin = array.Pin(1))
            Assert.Equal(20, Marshal.ReadInt32(Budgets.Address(pin)));
        using (var pin = array.AsMemory()[2..].Pin())
            Assert.Equal(30, Marshal.ReadInt32(Budgets.Address(pin)));
        using (array.Pin(3))
            Assert.Throws<PileBusyException>(array.Dispose);
    }

    [Fact]
    public void Access_AllocatesNothing()
    {
        using var array = new SafeArray<int>(1000);
        var handle = array.Buffer;
        _ = array.AsMemory();
        Work(array, handle);
        var allocated = long.MaxValue;
        for (var attempt = 0; attempt < 200 && allocated > 0; attempt++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            Work(array, handle);
            allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, allocated);
    }

    private static void Work(SafeArray<int> array, PileBuffer<int> handle)
    {
        for (var i = 0; i < 1000; i++)
        {
            array[i] = array.AsSpan().Length;
            handle.Retain();
            handle.AsSpan()[i]++;
            array.AsMemory().Span[i]++;
            handle.Release();
        }
    }

    private static nint AddressOf(SafeArray<byte> array)
    {
        using var pin = array.Pin();
        return Budgets.Address(pin);
    }
}
