using Cluster.Buffers.Arithmetic;
using Cluster.Buffers.Handles;
using Cluster.Pile;

namespace Cluster.Buffers.Tests;

/// <summary>Arrays beyond 2^31 elements, which cost no memory where they are not touched.</summary>
public sealed class HugeArrayTests
{
    private const long Length = (1L << 32) + 12_345;

    // Untouched memory is free on the source of this system only.
    [Fact]
    public void Array_OfMoreThanFourBillionElements_IsOneContiguousRange()
    {
        var budget = Budgets.Create(5L << 30);
        using (var array = new HugeArray<byte>(budget.Heap, Length, BufferFill.Zeroed))
        {
            Assert.Equal(Length, array.Length);
            long[] places = [0, 1, int.MaxValue, 1L << 31, (1L << 31) + 1, uint.MaxValue, 1L << 32, Length - 1];
            foreach (var place in places)
                array[place] = (byte)(place % 251 + 1);
            foreach (var place in places)
                Assert.Equal((byte)(place % 251 + 1), array[place]);

            // A span may cross any border, and shows the same memory.
            var across = array.AsSpan(int.MaxValue - 5L, 10);
            Assert.Equal([0, 0, 0, 0, 0], across[..5].ToArray());
            Assert.Equal((int.MaxValue % 251) + 1, across[5]);
            Assert.Equal(((1L << 31) % 251) + 1, across[6]);
            Assert.Equal(int.MaxValue, array.AsSpan(Length - int.MaxValue, int.MaxValue).Length);
            Assert.Throws<ArgumentOutOfRangeException>(() => array[Length]);
            Assert.Throws<ArgumentOutOfRangeException>(() => array[-1]);
            Assert.Throws<ArgumentOutOfRangeException>(() => array.AsSpan(Length - 4, 5).Length);
            Assert.Throws<ArgumentOutOfRangeException>(() => array.AsSpan(long.MaxValue, 5).Length);
            Assert.Throws<OverflowException>(() => array.Buffer.AsSpan().Length);
            Assert.Equal(Length, array.Buffer.Length);
        }

        Budgets.CheckEmptyAndClose(budget);
    }

    [Fact]
    public void Copies_GoBothWays()
    {
        using var array = new HugeArray<int>(100);
        array.CopyFrom(97, [1, 2, 3]);
        var copy = new int[4];
        array.CopyTo(96, copy);
        Assert.Equal([0, 1, 2, 3], copy);
        Assert.Throws<ArgumentOutOfRangeException>(() => array.CopyFrom(98, [1, 2, 3]));
        Assert.Throws<ArgumentOutOfRangeException>(() => array.CopyTo(98, copy));
        Assert.Equal([0, 1], array.AsMemory(96, 2).ToArray());
    }

    [Theory]
    [InlineData(0, 10)]
    [InlineData(1, 10)]
    [InlineData(99, 10)]
    [InlineData(100, 10)]
    [InlineData(101, 10)]
    [InlineData(50_000, BufferChunks<int>.CountDefault)]
    public void Chunks_ShowEveryElementOnce(int length, int countMax)
    {
        using var array = new HugeArray<int>(length);
        for (var i = 0; i < length; i++)
            array[i] = i;
        var expected = 0;
        var chunks = array.Chunks(countMax);
        while (chunks.MoveNext())
        {
            Assert.Equal(expected, chunks.Start);
            Assert.InRange(chunks.Current.Length, 1, countMax);
            foreach (var element in chunks.Current)
                Assert.True(element == expected++);
        }

        Assert.Equal(length, expected);
        Assert.Throws<ArgumentOutOfRangeException>(() => array.Chunks(0).Start);
    }

    [Fact]
    public void Length_BeyondAddresses_IsRefused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new HugeArray<long>(long.MaxValue / 8));
        Assert.Throws<ArgumentOutOfRangeException>(() => new HugeArray<long>(-1));
        var full = Assert.Throws<PileFullException>(() => new HugeArray<long>(1L << 44));
        Assert.Contains(BufferBudget.Process.Name, full.Message, StringComparison.Ordinal);
        Assert.Equal((BufferBudget.Process.CapBytes, 8L << 44), (full.BudgetBytes, full.NeededBytes));
    }

    [Fact]
    public void Array_Disposed_IsRefused()
    {
        var array = new HugeArray<int>(100);
        array.Dispose();
        Assert.Throws<ObjectDisposedException>(() => array[0]);
        Assert.Throws<ObjectDisposedException>(() => array.AsSpan(0, 1).Length);
        Assert.Throws<ObjectDisposedException>(() => array.Chunks().Start);
        Assert.Throws<ObjectDisposedException>(() => array.CopyFrom(0, [1]));
    }
}
