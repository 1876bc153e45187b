namespace Cluster.Nodes.Lifecycle;

/// <summary>Collects garbage once, while nobody calls this node yet. Otherwise the first collections under load copy
/// everything that the program has built while it started, and calls wait meanwhile. Stateless.</summary>
internal static class StartCollection
{
    /// <summary>Moves what lives to the oldest generation and frees what the start left behind.</summary>
    public static void Run()
    {
        // What survives a collection gets older by one generation, so it takes one collection for each.
        for (var generation = 0; generation < GC.MaxGeneration; generation++)
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
    }
}
