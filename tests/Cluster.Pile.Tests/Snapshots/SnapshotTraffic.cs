namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Threads that change objects all the time while a snapshot is written. Each has objects of its own and
/// raises the versions of all of them together, so that the state of a cut is known: within a thread, versions fall by
/// at most one along its order of changes, and what was put or deleted later is not there.</summary>
internal static class SnapshotTraffic
{
    private const int Threads = 3;
    private const int ObjectsPerThread = 300;

    public static async Task CheckCutAsync(LocalPile pile, SnapshotDirectory folder, int seed)
    {
        using var stop = new CancellationTokenSource();
        var writers = Enumerable.Range(0, Threads).Select(id => new Writer(pile, id, seed)).ToArray();
        var threads = writers.Select(writer => new Thread(() => writer.Run(stop.Token))).ToArray();
        foreach (var thread in threads)
            thread.Start();
        await Task.WhenAll(writers.Select(writer => writer.Warm.Task));
        try
        {
            await pile.SaveAsync(folder.Path);
        }
        finally
        {
            await stop.CancelAsync();
            foreach (var thread in threads)
                thread.Join();
        }

        Assert.All(writers, writer => Assert.Null(writer.Failure));
        using var restored = await folder.RestoreAsync(SnapshotDirectory.Options(128 * Piles.MiB));
        PileValidator.Check(restored);
        Assert.All(writers, writer => writer.Check(restored));
        Assert.Equal(writers.Sum(writer => writer.Live), restored.GetStatistics().Objects);
    }

    /// <summary>One thread and the objects that only it changes.</summary>
    private sealed class Writer(LocalPile pile, int id, int seed)
    {
        private readonly PilePointer[] _objects = new PilePointer[ObjectsPerThread];
        private readonly List<PilePointer> _replaced = [];
        private readonly Random _random = new(seed ^ (id << 16));

        public TaskCompletionSource Warm { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Exception? Failure { get; private set; }

        /// <summary>Objects of the thread in the restored pile.</summary>
        public int Live { get; private set; }

        // Round after round: every object in turn gets the number of the round. Every seventh is replaced by a new one.
        public void Run(CancellationToken cancellationToken)
        {
            try
            {
                for (long version = 1; !cancellationToken.IsCancellationRequested; version++)
                {
                    for (var i = 0; i < ObjectsPerThread && !cancellationToken.IsCancellationRequested; i++)
                        Change(i, version);
                    if (version == 3)
                        Warm.TrySetResult();
                }
            }
            catch (Exception e)
            {
                Failure = e;
                Warm.TrySetException(e);
            }
        }

        public void Check(LocalPile restored)
        {
            // Along the order of changes the versions fall by one at one place: where the cut was.
            var found = _replaced.Concat(_objects).Where(restored.IsLive)
                .Select(pointer => StormPayload.Parse(restored.GetBytes(pointer)))
                .ToLookup(payload => payload.ObjectId, payload => payload.Version);
            Live = found.Sum(group => group.Count());
            var versions = new List<long>();
            for (var i = 0; i < ObjectsPerThread; i++)
            {
                // Between the put of a new object and the delete of the old one both may be there.
                var both = found[(id * ObjectsPerThread) + i].ToList();
                Assert.InRange(both.Count, 1, 2);
                versions.Add(both.Max());
            }

            var last = versions[0];
            for (var i = 1; i < versions.Count; i++)
            {
                Assert.True(
                    versions[i] == last || versions[i] == last - 1,
                    $"Object {i} of thread {id} has version {versions[i]} behind {last} (seed {seed}).");
                last = versions[i];
            }

            Assert.True(versions[^1] >= versions[0] - 1);
        }

        private void Change(int i, long version)
        {
            var bytes = new byte[_random.Next(20) == 0 ? _random.Next(8, 20_000) : _random.Next(8, 300)];
            new StormPayload((id * ObjectsPerThread) + i, version).Write(bytes);
            if (_objects[i].IsDefault)
            {
                _objects[i] = pile.Put(bytes);
            }
            else if ((i + version) % 7 == 0)
            {
                // The new one first, so that each version is there at any time.
                var next = pile.Put(bytes);
                _replaced.Add(_objects[i]);
                Assert.True(pile.Delete(_objects[i]));
                _objects[i] = next;
            }
            else
            {
                pile.Put(_objects[i], bytes);
            }
        }
    }
}
