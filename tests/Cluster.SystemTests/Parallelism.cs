// Most system tests wait for processes most of the time.
[assembly: CollectionBehavior(MaxParallelThreads = 3)]
