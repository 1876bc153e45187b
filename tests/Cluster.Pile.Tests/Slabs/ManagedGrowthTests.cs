using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Slabs;

/// <summary>Acceptance case 17 of the pile: bytes go in and out without managed memory.</summary>
[Trait("Case", "pile-17")]
[Collection(nameof(RunsAlone))]
public sealed class ManagedGrowthTests(ITestOutputHelper output)
{
    private const int RoundsPerWindow = 10_000;
    private const int Windows = 100;
    private const int AttemptsMax = 200;
    private const int ObjectsShort = 2_000_000;
    private const int ObjectsLong = 100_000_000;

    [Fact]
    public void PutReadUpdateDelete_OfBytes_AllocateNothing()
    {
        using var pile = Piles.Create();
        var buffer = new byte[64];
        Work(pile, buffer, 2000);
        for (var window = 0; window < Windows; window++)
            Assert.Equal(0, LeastAllocated(pile, buffer));
        output.WriteLine($"0 bytes in {Windows * RoundsPerWindow:N0} rounds of put, read, update, size, get many, delete.");
    }

    [Fact]
    public void Puts_OfMillions_LeaveManagedMemoryAsItWas()
    {
        using var pile = Piles.Create(128 * Piles.MiB);
        Assert.InRange(GrowthBy(pile, ObjectsShort), long.MinValue, Piles.MiB);
    }

    [Fact]
    [Trait("Category", "Soak")]
    public void Puts_OfHundredMillion_StayBelow64MiB()
    {
        using var pile = Piles.Create(2560 * Piles.MiB);
        GrowthBy(pile, ObjectsLong);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true), 0, 64 * Piles.MiB);
    }

    private long GrowthBy(LocalPile pile, int objects)
    {
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var payload = new byte[8];
        for (var i = 0; i < objects; i++)
            pile.Put(payload.AsSpan());
        var growth = GC.GetTotalMemory(forceFullCollection: true) - before;
        output.WriteLine($"{objects:N0} puts; managed memory {before:N0} bytes before, {growth:N0} more after.");
        Assert.Equal(objects, pile.GetStatistics().Objects);
        return growth;
    }

    // A collection in between makes the runtime's figure jump, so one clean try out of many is asked for.
    private static long LeastAllocated(LocalPile pile, byte[] buffer)
    {
        var least = long.MaxValue;
        for (var attempt = 0; attempt < AttemptsMax && least > 0; attempt++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            Work(pile, buffer, RoundsPerWindow);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }

    private static void Work(LocalPile pile, byte[] buffer, int count)
    {
        Span<int> lengths = stackalloc int[1];
        for (var i = 0; i < count; i++)
        {
            var pointer = pile.Put(buffer.AsSpan());
            pile.Read(pointer, buffer);
            pile.Put(pointer, buffer.AsSpan());
            pile.SizeOf(pointer);
            pile.GetMany([pointer], buffer, lengths);
            pile.Delete(pointer);
        }
    }
}
