namespace Cluster.Nodes.Lifecycle;

/// <summary>Collects garbage once, before this node takes calls. Otherwise the first collections under load copy all
/// objects of the program's start, and calls wait for that. Stateless.</summary>
internal static class StartCollection
{
    /// <summary>Moves the living objects to the oldest generation and frees the others.</summary>
    public static void Run()
    {
        // An object that survives a collection moves up by one generation, so each generation takes one collection.
        for (var generation = 0; generation < GC.MaxGeneration; generation++)
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
    }
}
