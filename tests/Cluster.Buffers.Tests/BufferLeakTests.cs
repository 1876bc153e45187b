using Cluster.Pile;

namespace Cluster.Buffers.Tests;

/// <summary>Buffers that nobody frees: their memory stays as long as it may be in use, and somebody is told.</summary>
[Collection(nameof(RunsAlone))]
public sealed class BufferLeakTests
{
    /// <summary>A span does not keep its array, so nobody knows whether the memory is in use.</summary>
    [Fact]
    [Trait("Case", "repair-A9")]
    public void Span_OfACollectedArray_KeepsItsMemory()
    {
        var budget = Budgets.Create();
        budget.Diagnostics = BufferDiagnostics.Full;
        foreach (var length in (int[])[10, 1000, 2_000_000])
        {
            var leaks = budget.GetStatistics().Leaks;
            var small = SpanOfForgottenArray(budget, length);
            var huge = SpanOfForgottenHugeArray(budget, length);
            Collect(() => budget.GetStatistics().Leaks == leaks + 2);

            // What was free would be given out again, and be filled with junk before.
            var next = new SafeArray<int>(budget.Heap, length, BufferFill.Zeroed);
            next.Fill(-1);
            Assert.False(small.ContainsAnyExcept(7));
            Assert.False(huge.ContainsAnyExcept(7));
            small.Fill(8);
            next.Dispose();
        }

        Assert.Equal(6, budget.GetStatistics().Buffers);
        budget.Close();
        Assert.Equal(6, budget.GetStatistics().Leaks);
    }

    [Fact]
    [Trait("Case", "repair-A9")]
    public void Array_CollectedWithoutDispose_IsReportedOnce_AndItsHandleFreesIt()
    {
        var budget = Budgets.Create();
        budget.Diagnostics = BufferDiagnostics.Full;
        var handle = ForgetArray(budget);
        Collect(() => budget.GetStatistics().Leaks == 1);
        var statistics = budget.GetStatistics();
        Assert.Equal((1, 4000, 1), (statistics.Buffers, statistics.LiveBytes, statistics.Leaks));
        var leak = Assert.Single(budget.RecentLeaks());
        Assert.Equal(("test", 4000), (leak.Budget, leak.Bytes));
        Assert.Contains(nameof(ForgetArray), leak.CreatedAt, StringComparison.Ordinal);
        Assert.Equal(0, handle[3]);
        Assert.True(handle.Free());
        budget.Close();
        Assert.Equal((0, 1), (budget.GetStatistics().Buffers, budget.GetStatistics().Leaks));
    }

    [Fact]
    public void Array_CollectedUnderALease_LivesOnAfterTheLease()
    {
        var budget = Budgets.Create();
        var handle = ForgetLeasedArray(budget);
        Collect(() => budget.GetStatistics().Leaks == 1);
        Assert.Equal(7, handle[3]);
        Assert.Throws<PileBusyException>(() => handle.Free());
        handle.Release();
        Assert.Equal(7, handle[3]);
        Assert.True(handle.Free());
        Assert.Equal((0, 1), (budget.GetStatistics().Buffers, budget.GetStatistics().Leaks));
        budget.Close();
    }

    [Fact]
    public void Memory_KeepsItsArrayFromBeingCollected()
    {
        var budget = Budgets.Create();
        var memory = MemoryOfForgottenArray(budget);
        for (var i = 0; i < 3; i++)
            Collect(() => true);
        Assert.Equal(7, memory.Span[3]);
        using (memory.Pin())
            Collect(() => true);
        Assert.Equal(1, budget.GetStatistics().Buffers);
        budget.Close();
    }

    [Fact]
    public void Leaks_AreCountedAllAndKeptUpToALimit()
    {
        var budget = Budgets.Create();
        for (var i = 1; i <= 100; i++)
            PileBuffer.Create<byte>(budget.Heap, i, BufferFill.Zeroed);
        budget.Close();
        Assert.Equal(100, budget.GetStatistics().Leaks);
        Assert.Equal(64, budget.RecentLeaks().Count);
        Assert.All(budget.RecentLeaks(), leak => Assert.Null(leak.CreatedAt));
    }

    [Fact]
    public void Pile_DisposedWithBuffers_ReportsThem()
    {
        var process = BufferBudget.Process;
        var diagnostics = process.Diagnostics;
        process.Diagnostics = BufferDiagnostics.Full;
        try
        {
            var before = process.GetStatistics();
            var pile = new LocalPile(new PileOptions { Name = "leaky" });
            PileBuffer.Create<long>(12_345, BufferFill.Zeroed, pile);
            pile.Dispose();
            Assert.Equal(before.Leaks + 1, process.GetStatistics().Leaks);
            var leak = process.RecentLeaks()[^1];
            Assert.Equal(("leaky", 12_345 * 8), (leak.Budget, leak.Bytes));
            Assert.Contains(
                nameof(Pile_DisposedWithBuffers_ReportsThem), leak.CreatedAt, StringComparison.Ordinal);
        }
        finally
        {
            process.Diagnostics = diagnostics;
        }
    }

    [Fact]
    public void Memory_OfFreedBuffers_IsJunkUnderDiagnostics()
    {
        var budget = Budgets.Create();
        budget.Diagnostics = BufferDiagnostics.Full;
        foreach (var length in (int[])[100, 100_000, 20_000_000])
        {
            var array = new SafeArray<byte>(budget.Heap, length, BufferFill.Zeroed);
            var span = array.AsSpan();
            array.Dispose();
            Assert.False(span[..Math.Min(length, 16_000_000)].ContainsAnyExcept((byte)0xDD));
            using var next = new SafeArray<byte>(budget.Heap, length, BufferFill.Zeroed);
            Assert.False(next.AsSpan().ContainsAnyExcept((byte)0));
        }

        budget.Diagnostics = BufferDiagnostics.Off;
        var plain = new SafeArray<byte>(budget.Heap, 100, BufferFill.Zeroed);
        var kept = plain.AsSpan();
        plain.Dispose();
        Assert.False(kept.ContainsAnyExcept((byte)0));
        Budgets.CheckEmptyAndClose(budget);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PileBuffer<int> ForgetArray(BufferBudget budget) =>
        new SafeArray<int>(budget.Heap, 1000, BufferFill.Zeroed).Buffer;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Span<int> SpanOfForgottenArray(BufferBudget budget, int length)
    {
        var span = new SafeArray<int>(budget.Heap, length, BufferFill.Uninitialized).AsSpan();
        span.Fill(7);
        return span;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Span<int> SpanOfForgottenHugeArray(BufferBudget budget, int length)
    {
        var span = new HugeArray<int>(budget.Heap, length, BufferFill.Uninitialized).AsSpan(0, length);
        span.Fill(7);
        return span;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PileBuffer<int> ForgetLeasedArray(BufferBudget budget)
    {
        var array = new SafeArray<int>(budget.Heap, 1000, BufferFill.Zeroed);
        array.Retain();
        array[3] = 7;
        return array.Buffer;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Memory<int> MemoryOfForgottenArray(BufferBudget budget)
    {
        var array = new SafeArray<int>(budget.Heap, 1000, BufferFill.Zeroed);
        array[3] = 7;
        return array.AsMemory();
    }

    private static void Collect(Func<bool> until) =>
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return until();
            },
            TimeSpan.FromSeconds(60)));
}
