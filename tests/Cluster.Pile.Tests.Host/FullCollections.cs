using Cluster.Pile.Caching;

namespace Cluster.Pile.Tests.Host;

/// <summary>How long full collections stop a process whose pile holds many objects of 64 bytes, or cache entries with
/// keys that are strings.</summary>
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
        WritePauses();
    }

    /// <summary>The argument for <see cref="RunCache"/>.</summary>
    public const string Cache = "cache";

    /// <summary>The same beside a cache table of this number of entries of 8 bytes.</summary>
    public static void RunCache(long entries)
    {
        Pause();
        using var pile = new LocalPile(new PileOptions { BudgetBytes = (entries * 80) + (64 << 20) });
        var table = new PileCache(pile).GetOrCreateTable<string, byte[]>("entries");
        for (long number = 0; number < entries; number++)
            table.Put($"entry-{number}", BitConverter.GetBytes(number).AsSpan());
        if (table.Count != entries)
            throw new InvalidOperationException($"There are {table.Count} entries instead of {entries}.");
        WritePauses();
    }

    private static void WritePauses()
    {
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
