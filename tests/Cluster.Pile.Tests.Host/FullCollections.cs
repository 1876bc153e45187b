using System.Globalization;

namespace Cluster.Pile.Tests.Host;

/// <summary>How long full collections stop a process whose pile holds many objects of 64 bytes.</summary>
public static class FullCollections
{
    /// <summary>How many collections are measured.</summary>
    public const int Count = 20;

    /// <summary>Fills a pile and writes a line with the pause in milliseconds for every collection.</summary>
    public static void Run(long objects)
    {
        // The first collection of a process brings in the collector's own tables, whatever else there is.
        Pause();
        using var pile = new LocalPile(new PileOptions { BudgetBytes = (objects * 80) + (64 << 20) });
        Span<byte> payload = stackalloc byte[64];
        for (long number = 0; number < objects; number++)
            pile.Put(payload);
        for (var collection = 0; collection < Count; collection++)
            Console.WriteLine(Pause().TotalMilliseconds.ToString(CultureInfo.InvariantCulture));
    }

    // What the collector itself says it stopped all threads for; the call to it also waits to be scheduled.
    private static TimeSpan Pause()
    {
        var before = GC.GetTotalPauseDuration();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
        return GC.GetTotalPauseDuration() - before;
    }
}
