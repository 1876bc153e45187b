using System.Numerics.Tensors;
using Cluster.Buffers.Arithmetic;
using Cluster.Pile;

namespace Cluster.Buffers.Tests.Docs;

/// <summary>Runs what the page about typed buffers shows.</summary>
public sealed class BuffersPageTests
{
    [Fact]
    public void QuickStart_AsPrinted_Calculates()
    {
        // <snippet:quick>
        using var prices = new SafeArray<double>(10_000_000);           // zeroed; the collector does not see it
        using var taxed = new SafeArray<double>(10_000_000, BufferFill.Uninitialized);

        prices.Fill(9.90);
        prices[7] = 20;                                     // checked: index and lifetime
        foreach (ref var price in prices[100..200])         // a span: checked once
            price += 1;

        prices.Multiply(1.2, taxed);                        // in vectors, one walk over memory
        var highest = taxed.Max();
        // </snippet:quick>
        Assert.Equal(24, highest);
        Assert.Equal(10.90, prices[150]);
    }

    [Fact]
    public void HugeArray_AsPrinted_HasLongIndexes()
    {
        // <snippet:huge>
        using var flags = new HugeArray<byte>(5_000_000_000);           // untouched parts take no memory yet
        flags[4_999_999_999] = 1;

        var last = flags.AsSpan(flags.Length - 100, 100);        // a part; a span holds 2^31 - 1 at most
        // </snippet:huge>
        Assert.Equal(1, last[99]);
    }

    [Fact]
    public void Handle_AsPrinted_IsAFieldAndIsRefusedWhenStale()
    {
        // <snippet:handle>
        var buffer = PileBuffer.Create<int>(1000);
        var column = new Column(7, buffer);                 // eight bytes, no reference: a field of any struct

        column.Values.AsSpan().Fill(column.Id);
        column.Values.Free();

        Assert.False(column.Values.IsLive);
        Assert.Throws<InvalidPileBufferException>(() => column.Values[0]);
        // </snippet:handle>
    }

    [Fact]
    public void Leases_AsPrinted_KeepABufferAlive()
    {
        using var array = new SafeArray<int>(1000);
        // <snippet:lease>
        array.Retain();                                     // for another thread, say
        try
        {
            Assert.Throws<PileBusyException>(array.Dispose);            // refused, and nothing was changed
            array.AsSpan().Fill(1);
        }
        finally
        {
            array.Release();
        }
        // </snippet:lease>
        Assert.Equal(1000, array.Sum());
    }

    [Fact]
    public void Collected_AsPrinted_KeepsItsMemory()
    {
        // <snippet:collected>
        var span = new SafeArray<int>(1000).AsSpan();     // wrong: nobody disposes this array
        span.Fill(7);                                           // the array may be collected, its memory is there

        using var owned = new SafeArray<int>(1000);             // right: the array outlives its spans,
        owned.AsSpan().Fill(7);                                 // and gives its memory back at the end of the block
        // </snippet:collected>
        Assert.False(span.ContainsAnyExcept(7));
    }

    [Fact]
    public void Arithmetic_AsPrinted_Calculates()
    {
        // <snippet:arithmetic>
        using SafeArray<float> x = new([1, 2, 3, 4]);
        using SafeArray<float> y = new([10, 20, 30, 40]);
        using var result = new SafeArray<float>(4);
        using var marks = new SafeArray<bool>(4);

        x.Add(y, result);                                   // 11 22 33 44
        x.MultiplyAdd(2f, y, result);                       // 12 24 36 48, touching memory once
        x.AddMultiply(y, 0.5f, result);                     // 5.5 11 16.5 22
        x.MultiplyInPlace(3f);                              // 3 6 9 12
        var dot = x.Dot(y);                               // 900

        var above = x.CountWhere(BufferComparison.Greater, 6f);        // 2
        x.Compare(BufferComparison.Less, y, marks);                     // true true true true

        using SafeArray<byte> bytes = new([200, 200]);
        var wrapped = bytes.Sum();                         // 144: integers wrap around in their own type
        var whole = bytes.WideSum<byte, long>();           // 400
        // </snippet:arithmetic>
        Assert.Equal([5.5f, 11, 16.5f, 22], result.ToArray());
        Assert.Equal((900f, 2L, 144, 400L), (dot, above, wrapped, whole));
        Assert.Equal([true, true, true, true], marks.ToArray());

        // <snippet:tensors>
        TensorPrimitives.Exp(x.AsSpan(), result.AsSpan());  // all of System.Numerics.Tensors works on spans
        // </snippet:tensors>
        Assert.Equal(MathF.Exp(3), result[0], 1e-4f);
    }

    [Fact]
    public void Pin_AsPrinted_GivesAnAddress()
    {
        using var array = new SafeArray<int>(1000);
        // <snippet:pin>
        using (var pin = array.Pin())                       // a lease and an address
        {
            unsafe
            {
                NativeSum((int*)pin.Pointer, array.Length);
            }
        }
        // </snippet:pin>
        static unsafe int NativeSum(int* values, int count) => new Span<int>(values, count).IndexOf(1);
    }

    [Fact]
    public async Task Streams_AsPrinted_CarryElements()
    {
        using var array = new SafeArray<int>([1, 2, 3]);
        using var stream = new MemoryStream();
        // <snippet:streams>
        await array.WriteToAsync(stream);                   // the bytes as they lie in memory, without a copy of all

        stream.Position = 0;
        using var back = new SafeArray<int>(array.Length, BufferFill.Uninitialized);
        await back.ReadFromAsync(stream);                   // EndOfStreamException when there are fewer
        // </snippet:streams>
        Assert.Equal([1, 2, 3], back.ToArray());
    }

    [Fact]
    public void Budget_AsPrinted_TellsWhatBuffersCost()
    {
        // <snippet:budget>
        BufferBudget.Process.Prepare(64 << 20);             // touch memory now, so that the next buffer need not

        using var pile = new LocalPile(new PileOptions { BudgetBytes = 256 << 20 });
        using var owned = new SafeArray<long>(1_000_000, pile: pile);   // counts against the pile, ends with it

        var cost = BufferBudget.Process.GetStatistics();
        // </snippet:budget>
        Assert.True(cost.CapBytes > 0);
        Assert.Equal(0, owned.Sum());
    }

    // <snippet:column>
    private readonly record struct Column(int Id, PileBuffer<int> Values);
    // </snippet:column>
}
