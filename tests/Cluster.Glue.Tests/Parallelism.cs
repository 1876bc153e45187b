// Many tests wait for the other side of a link.
[assembly: CollectionBehavior(MaxParallelThreads = 3)]
