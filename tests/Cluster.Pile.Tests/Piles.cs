namespace Cluster.Pile.Tests;

/// <summary>Piles and payloads for tests. A payload describes itself: every byte follows from its seed and
/// length.</summary>
internal static class Piles
{
    public const long MiB = 1 << 20;

    public static LocalPile Create(long budgetBytes = 64 * MiB) => new(new PileOptions { BudgetBytes = budgetBytes });

    public static LocalPile Create(TimeProvider clock, TimeSpan pinWait) => new(Options(clock, pinWait));

    public static PileOptions Options(TimeProvider clock, TimeSpan pinWait) =>
        new() { BudgetBytes = 64 * MiB, TimeProvider = clock, PinWait = pinWait };

    /// <summary>What the work allocates on this thread. A collection in between makes the runtime's figure jump, so the
    /// least of many tries counts; what the work itself allocates is in all of them.</summary>
    public static long AllocatedBytes(Action work)
    {
        work();
        var allocated = long.MaxValue;
        for (var attempt = 0; attempt < 20 && allocated > 0; attempt++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            work();
            allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return allocated;
    }

    public static byte[] Payload(ulong seed, int length)
    {
        var bytes = new byte[length];
        Fill(bytes, seed);
        return bytes;
    }

    public static void Fill(Span<byte> bytes, ulong seed)
    {
        var x = Mix(seed ^ ((ulong)bytes.Length << 40));
        while (bytes.Length >= sizeof(ulong))
        {
            x = Mix(x + 1);
            BinaryPrimitives.WriteUInt64LittleEndian(bytes, x);
            bytes = bytes[sizeof(ulong)..];
        }

        x = Mix(x + 1);
        for (var i = 0; i < bytes.Length; i++)
            bytes[i] = (byte)(x >> (i * 8));
    }

    public static bool IsPayload(ReadOnlySpan<byte> bytes, ulong seed)
    {
        var x = Mix(seed ^ ((ulong)bytes.Length << 40));
        while (bytes.Length >= sizeof(ulong))
        {
            x = Mix(x + 1);
            if (BinaryPrimitives.ReadUInt64LittleEndian(bytes) != x)
                return false;
            bytes = bytes[sizeof(ulong)..];
        }

        x = Mix(x + 1);
        for (var i = 0; i < bytes.Length; i++)
        {
            if (bytes[i] != (byte)(x >> (i * 8)))
                return false;
        }

        return true;
    }

    public static ulong Mix(ulong x)
    {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
        return x ^ (x >> 31);
    }

    /// <summary>Puts objects until the pile is full.</summary>
    public static List<PilePointer> FillUp(LocalPile pile, int size, PutHints hints = default)
    {
        var pointers = new List<PilePointer>();
        while (true)
        {
            try
            {
                pointers.Add(pile.Put(Payload((ulong)pointers.Count, size), hints));
            }
            catch (PileFullException full)
            {
                Assert.InRange(full.NeededBytes, Math.Max(size, hints.RoomBytes), Math.Max(size, hints.RoomBytes) + 64);
                return pointers;
            }
        }
    }

    public static void CheckEmpty(LocalPile pile)
    {
        var statistics = pile.GetStatistics();
        Assert.Equal(0, statistics.Objects);
        Assert.Equal(0, statistics.Links);
        Assert.Equal(0, statistics.LiveBytes);
    }
}
