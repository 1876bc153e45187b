using Cluster.Buffers;

namespace Cluster.Pile.Tests.Hosting;

/// <summary>Buffers that belong to a pile: its budget, its purge, its end.</summary>
public sealed class PileMemoryTests
{
    private const long MiB = Piles.MiB;

    public static TheoryData<bool> Sources { get; } = [false, true];

    [Theory]
    [MemberData(nameof(Sources))]
    public void Buffers_DrawOnTheBudgetOfThePile(bool portable)
    {
        using var pile = new LocalPile(Options(16 * MiB, portable));
        var objects = Enumerable.Range(0, 1000).Select(i => pile.Put(Piles.Payload((ulong)i, 500))).ToList();
        var array = new SafeArray<int>((int)MiB, BufferFill.Zeroed, pile);
        Assert.False(array.AsSpan().ContainsAnyExcept(0));
        array.AsSpan().Fill(-1);
        var small = PileBuffer.Create<byte>(100, BufferFill.Zeroed, pile);
        var statistics = pile.GetStatistics();
        Assert.Equal((4 * MiB) + (64 * 1024), statistics.BufferBytes);
        Assert.Equal(1000, statistics.Objects);
        PileChecks.CountersAgree(pile);

        var full = Assert.Throws<PileFullException>(() => PileBuffer.Create<byte>(13 * MiB, BufferFill.Zeroed, pile));
        Assert.Equal((16 * MiB, 13 * MiB), (full.BudgetBytes, full.NeededBytes));
        Assert.Throws<PileFullException>(() => pile.Put(new byte[12 * MiB]));
        for (var i = 0; i < objects.Count; i++)
            Assert.True(Piles.IsPayload(pile.GetBytes(objects[i]), (ulong)i));
        Assert.False(array.AsSpan().ContainsAnyExcept(-1));

        array.Dispose();
        Assert.True(small.Free());
        using (var again = new SafeArray<int>((int)MiB, BufferFill.Zeroed, pile))
            Assert.False(again.AsSpan().ContainsAnyExcept(0));
        Assert.All(objects, pointer => Assert.True(pile.Delete(pointer)));
        PileChecks.AllSlotsAreFree(pile);
        Assert.InRange(pile.GetStatistics().BufferBytes, 0, 64 * 1024);
    }

    [Fact]
    public void Buffer_WhenDeletedObjectsFillThePile_FindsRoom()
    {
        using var pile = Piles.Create(8 * MiB);
        var pointers = new List<PilePointer>();
        for (var i = 0; i < 7000; i++)
            pointers.Add(pile.Put(new byte[1000]));
        Assert.Throws<PileFullException>(() => new SafeArray<byte>((int)(4 * MiB), BufferFill.Zeroed, pile));
        Assert.All(pointers, pointer => Assert.True(pile.Delete(pointer)));
        using var array = new SafeArray<byte>((int)(6 * MiB), BufferFill.Zeroed, pile);
        Assert.False(array.AsSpan().ContainsAnyExcept((byte)0));
    }

    [Fact]
    public void Pointer_IntoABuffer_IsNoPointer()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new byte[600_000]);
        Assert.True(pile.Delete(pointer));
        pile.Compact();
        using var array = new SafeArray<ulong>(100_000, BufferFill.Zeroed, pile);
        array.AsSpan().Fill(pointer.ToUInt64() | 1);
        for (var granule = 0L; granule < 200_000; granule++)
            Assert.False(pile.IsLive(new PilePointer(pointer.Generation, granule)));
        foreach (var found in pile.Enumerate())
            Assert.Fail($"{found} is no object.");
    }

    [Fact]
    public void Purge_AndCompact_LeaveBuffersAlone()
    {
        using var pile = Piles.Create();
        using var array = new SafeArray<byte>([1, 2, 3], pile);
        using var large = new SafeArray<byte>(3_000_000, BufferFill.Zeroed, pile);
        large.AsSpan().Fill(9);
        for (var i = 0; i < 20_000; i++)
            pile.Put(new byte[200]);
        pile.Purge();
        pile.Compact();
        for (var i = 0; i < 20_000; i++)
            pile.Put(Piles.Payload(5, 300));
        Assert.Equal([1, 2, 3], array.ToArray());
        Assert.False(large.AsSpan().ContainsAnyExcept((byte)9));
    }

    [Fact]
    public void Dispose_OfThePile_EndsItsBuffers()
    {
        var pile = Piles.Create();
        var array = new SafeArray<int>(1000, BufferFill.Zeroed, pile);
        var text = Utf8FixedString.Create("abc", pile);
        var handle = PileBuffer.Create<int>(1_000_000, BufferFill.Zeroed, pile);
        handle.Retain();
        var span = handle.AsSpan();
        pile.Dispose();
        Assert.True(array.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => array[0]);
        Assert.Throws<InvalidPileBufferException>(() => text.ToString());
        Assert.Throws<InvalidPileBufferException>(handle.Release);
        Assert.False(handle.Free());
        Assert.Equal(0, span[^1]);
        array.Dispose();
        Assert.Throws<ObjectDisposedException>(() => new SafeArray<int>(5, BufferFill.Zeroed, pile));
    }

    private static PileOptions Options(long budgetBytes, bool portable)
    {
        var options = new PileOptions { BudgetBytes = budgetBytes };
        if (portable)
            options.MemorySource = new Cluster.Pile.Memory.PortableMemorySource();
        return options;
    }
}
