// Nodes and caches spend most of their time waiting.
[assembly: CollectionBehavior(MaxParallelThreads = 8)]
