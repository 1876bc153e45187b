using Cluster.Buffers.Handles;
using Cluster.Pile;

namespace Cluster.Buffers.Tests;

/// <summary>Handles: what they name, and that they never name anything else.</summary>
public sealed class PileBufferTests
{
    [Fact]
    public void Handle_IsEightBytesAndWorksAsAFieldOfElements()
    {
        Assert.Equal(8, Unsafe.SizeOf<PileBuffer<decimal>>());
        using var rows = new SafeArray<Row>(3);
        for (var i = 0; i < rows.Length; i++)
            rows[i] = new Row(i, PileBuffer.Create<double>(i + 1));
        for (var i = 0; i < rows.Length; i++)
            rows[i].Cells.AsSpan().Fill(i);
        for (var i = 0; i < rows.Length; i++)
        {
            Assert.Equal(i + 1, rows[i].Cells.Length);
            Assert.Equal(Enumerable.Repeat((double)i, i + 1), rows[i].Cells.AsSpan().ToArray());
            Assert.True(rows[i].Cells.Free());
        }
    }

    [Fact]
    public void Handle_Freed_IsRefusedForEver()
    {
        var budget = Budgets.Create();
        var stale = new List<PileBuffer<int>>();
        for (var round = 0; round < 1000; round++)
        {
            var buffer = PileBuffer.Create<int>(budget.Heap, 100, BufferFill.Zeroed);
            buffer[0] = round;
            Assert.DoesNotContain(buffer, stale);
            stale.Add(buffer);
            if (round < 999)
                Assert.True(buffer.Free());
        }

        Assert.Equal(999, stale[^1][0]);
        foreach (var buffer in stale[..^1])
            CheckRefused(buffer);
        Assert.True(stale[^1].Free());
        CheckRefused(stale[^1]);
        Budgets.CheckEmptyAndClose(budget);
    }

    [Fact]
    public void Handle_DefaultOrInvented_IsRefused()
    {
        CheckRefused(default);
        Assert.True(default(PileBuffer<int>).IsDefault);
        var random = new Random(5);
        var live = PileBuffer.Create<int>(10);
        for (var i = 0; i < 100_000; i++)
        {
            var invented = new PileBuffer<int>((ulong)random.NextInt64(long.MinValue, long.MaxValue));
            Assert.True(!invented.IsLive || invented == live);
        }

        CheckRefused(new PileBuffer<int>(live.Handle + (1UL << BufferWord.GenerationShift)));
        CheckRefused(new PileBuffer<int>(live.Handle - (1UL << BufferWord.GenerationShift)));
        Assert.True(live.Free());
    }

    [Fact]
    public void Handle_OfAnotherElementType_StaysInBounds()
    {
        var bytes = PileBuffer.Create<byte>(15);
        var wide = new PileBuffer<long>(bytes.Handle);
        Assert.Equal(1, wide.Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => wide[1]);
        Assert.True(wide.Free());
        CheckRefused(new PileBuffer<int>(bytes.Handle));
    }

    [Fact]
    public void Leases_CountUpAndDown()
    {
        var buffer = PileBuffer.Create<int>(10);
        buffer.Retain();
        buffer.Retain();
        Assert.Throws<PileBusyException>(() => buffer.Free());
        buffer.Release();
        Assert.Throws<PileBusyException>(() => buffer.Free());
        Assert.Equal(0, buffer[9]);
        buffer.Release();
        Assert.Throws<InvalidPileBufferException>(buffer.Release);
        using (buffer.Pin(5))
            Assert.Throws<PileBusyException>(() => buffer.Free());
        Assert.True(buffer.Free());
        Assert.False(buffer.Free());
    }

    [Fact]
    public void Word_HasTheFieldsOfItsTable()
    {
        var live = BufferWord.LiveWithout(7);
        Assert.True(live.IsLifeOf(BufferWord.Handle(7, 123)));
        Assert.False(live.IsLifeOf(BufferWord.Handle(8, 123)));
        Assert.False(BufferWord.Vacant(7).IsLifeOf(BufferWord.Handle(7, 123)));
        Assert.Equal(123, BufferWord.IndexOf(BufferWord.Handle(BufferWord.GenerationMax, 123)));
        Assert.Equal(BufferWord.GenerationMax, BufferWord.Vacant(BufferWord.GenerationMax).Generation);
        Assert.False(live.HasLeases || live.IsForgotten);
        Assert.True(new BufferWord(live.Word + BufferWord.OneLease).HasLeases);
        var most = new BufferWord(live.Word | BufferWord.LeaseMask);
        Assert.True(most.HasMostLeases && most.Generation == 7 && !most.IsForgotten);
        Assert.Equal(BufferEntry.Bytes, Unsafe.SizeOf<BufferEntry>());
    }

    private static void CheckRefused(PileBuffer<int> buffer)
    {
        Assert.False(buffer.IsLive);
        Assert.False(buffer.Free());
        Assert.Throws<InvalidPileBufferException>(() => buffer.Length);
        Assert.Throws<InvalidPileBufferException>(() => buffer[0]);
        Assert.Throws<InvalidPileBufferException>(() => buffer.AsSpan().Length);
        Assert.Throws<InvalidPileBufferException>(() => buffer.AsSpan(0, 0).Length);
        Assert.Throws<InvalidPileBufferException>(() => buffer.AsMemory());
        Assert.Throws<InvalidPileBufferException>(() => buffer.Pin());
        Assert.Throws<InvalidPileBufferException>(buffer.Retain);
        Assert.Throws<InvalidPileBufferException>(buffer.Release);
        Assert.Throws<InvalidPileBufferException>(() => buffer.WriteTo(Stream.Null));
    }

    private readonly record struct Row(int Number, PileBuffer<double> Cells);
}
