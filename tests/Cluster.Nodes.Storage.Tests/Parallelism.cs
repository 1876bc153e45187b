// Nodes spend most of their time waiting for each other.
[assembly: CollectionBehavior(MaxParallelThreads = 4)]
