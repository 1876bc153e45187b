namespace Cluster.Pile.Tests;

/// <summary>
/// Acceptance cases 2 to 4 of the pile in short form: stale, foreign and forged pointers, payloads like headers.
/// </summary>
public sealed class StalePointerTests
{
    private const int Count = 20_000;

    [Fact]
    public void Default_IsNeverValid()
    {
        using var pile = Piles.Create();
        for (var i = 0; i < 1000; i++)
            pile.Put(new byte[i]);
        Assert.Throws<InvalidPilePointerException>(() => pile.SizeOf(default));
        Assert.False(pile.Delete(default));
    }

    [Fact]
    public void Recycled_EqualSize_IsAlwaysRefused()
    {
        using var pile = Piles.Create();
        var stale = new List<PilePointer>();
        for (var round = 0; round < 10; round++)
        {
            var live = Enumerable.Range(0, Count).Select(i => pile.Put(Piles.Payload((ulong)i, 64))).ToArray();
            CheckRefused(pile, stale);
            foreach (var pointer in live)
                Assert.True(pile.Delete(pointer));
            stale.AddRange(live);
        }

        CheckRefused(pile, stale);
        Piles.CheckEmpty(pile);
    }

    [Fact]
    public void Recycled_WhenSlabsChangeClass_IsAlwaysRefused()
    {
        using var pile = Piles.Create(8 * Piles.MiB);
        var stale = new List<PilePointer>();
        foreach (var size in (int[])[8, 64, 500, 16, 40, 3000, 24, 70_000, 9000, 300_000, 8, 120])
        {
            var live = new List<PilePointer>();
            for (var bytes = 0; bytes < 5 * Piles.MiB; bytes += size + 24)
                live.Add(pile.Put(Piles.Payload((ulong)bytes, size)));
            CheckRefused(pile, stale);
            foreach (var pointer in live)
                Assert.True(pile.Delete(pointer));
            stale.AddRange(live.Take(Count));
        }

        CheckRefused(pile, stale);
        Piles.CheckEmpty(pile);
    }

    [Fact]
    public void Forged_RandomFlippedShiftedOrForeign_IsRefused()
    {
        using var pile = Piles.Create();
        using var other = Piles.Create();
        var live = Enumerable.Range(0, Count).Select(i => pile.Put(Piles.Payload((ulong)i, i % 300))).ToArray();
        var foreign = Enumerable.Range(0, Count).Select(i => other.Put(Piles.Payload((ulong)i, i % 300))).ToArray();
        var known = live.ToHashSet();
        var accepted = 0;
        void Try(ulong value)
        {
            var pointer = PilePointer.FromUInt64(value);
            if (!known.Contains(pointer) && !IsRefused(pile, pointer))
                accepted++;
        }

        var random = new Random(4711);
        for (var i = 0; i < 2_000_000 / 4; i++)
        {
            Try((ulong)random.NextInt64(long.MinValue, long.MaxValue));
            Try(live[i % Count].ToUInt64() ^ (1UL << random.Next(64)));
            Try(live[i % Count].ToUInt64() + (ulong)(random.Next(2) * 2) - 1);
            Try(foreign[i % Count].ToUInt64());
        }

        Assert.InRange(accepted, 0, 1);
    }

    [Fact]
    public void Payload_ThatLooksLikeHeaders_ChangesNothing()
    {
        using var pile = Piles.Create(8 * Piles.MiB);
        var stale = new List<PilePointer>();
        var random = new Random(12);
        foreach (var size in (int[])[8, 64, 500, 16, 40, 3000, 24, 9000, 8])
        {
            var live = new List<PilePointer>();
            var payload = new byte[size];
            for (var bytes = 0; bytes < 5 * Piles.MiB; bytes += size + 24)
            {
                FillWithHeaders(payload, stale, random);
                live.Add(pile.Put(payload));
            }

            CheckRefused(pile, stale);
            foreach (var pointer in live)
                Assert.True(pile.Delete(pointer));
            stale.AddRange(live.Take(Count / 2));
        }
    }

    private static void FillWithHeaders(Span<byte> payload, List<PilePointer> stale, Random random)
    {
        for (var at = 0; at + 8 <= payload.Length; at += 8)
        {
            if (stale.Count == 0)
                return;
            // A live header of any length for a stale pointer, version zero, kind bytes.
            var pointer = stale[random.Next(stale.Count)];
            var header = new Slots.SlotHeader(
                pointer.Generation, 0, random.Next(9), Slots.PayloadKind.Bytes, Slots.SlotState.Live);
            BitConverter.TryWriteBytes(payload[at..], random.Next(4) == 0 ? pointer.ToUInt64() : header.Word);
        }
    }

    private static void CheckRefused(LocalPile pile, List<PilePointer> pointers)
        => Assert.Equal(0, pointers.Count(pointer => !IsRefused(pile, pointer)));

    // Exceptions cost microseconds, so most pointers are only looked up; a sample is tried by every operation.
    private static bool IsRefused(LocalPile pile, PilePointer pointer)
    {
        if (Piles.Mix(pointer.ToUInt64()) % 1000 != 0)
            return !pile.IsLive(pointer);
        return Refuses(() => pile.SizeOf(pointer)) && Refuses(() => pile.GetBytes(pointer))
            && Refuses(() => pile.Put(pointer, "x"u8)) && Refuses(() => pile.Read(pointer, new byte[8]))
            && !pile.Delete(pointer);
    }

    private static bool Refuses(Action action)
    {
        try
        {
            action();
            return false;
        }
        catch (InvalidPilePointerException)
        {
            return true;
        }
    }
}
