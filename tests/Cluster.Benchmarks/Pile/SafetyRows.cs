using Cluster.Benchmarks.Harness;
using Cluster.Pile;

namespace Cluster.Benchmarks.Pile;

/// <summary>How many stale and forged pointers a full pile accepts.</summary>
internal static class SafetyRows
{
    private const int Size = 64;

    public static void Run(BenchmarkRun run)
    {
        using var set = new PileSet(run.Size("stale.accepted"), Size);
        PilePointer[] stale = [.. set.Pointers];
        foreach (var pointer in stale)
            set.Pile.Delete(pointer);
        set.Fill();
        run.Report("stale.accepted", stale.Count(set.Pile.IsLive));
        run.Report("forged.accepted", CountForged(set, run.Size("forged.accepted")));
    }

    // A third each: any bits, one flipped bit of a live pointer, a neighbouring granule.
    private static long CountForged(PileSet set, long count)
    {
        var random = new Random(3);
        var accepted = 0L;
        for (var i = 0L; i < count; i++)
        {
            var live = set.Pointers[i % set.Pointers.Length].ToUInt64();
            var forged = (i % 3) switch
            {
                0 => (ulong)random.NextInt64(long.MinValue, long.MaxValue),
                1 => live ^ (1UL << random.Next(64)),
                _ => live + (ulong)(random.Next(2) * 2) - 1,
            };
            if (set.Pile.IsLive(PilePointer.FromUInt64(forged)))
                accepted++;
        }

        return accepted;
    }
}
