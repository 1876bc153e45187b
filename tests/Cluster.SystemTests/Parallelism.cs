// Most system tests spend most of their time waiting for processes.
[assembly: CollectionBehavior(MaxParallelThreads = 3)]
