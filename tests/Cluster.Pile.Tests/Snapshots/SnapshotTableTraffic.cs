using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Pile.Tests.Tables;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Threads that change cache entries, cells and owned objects all the time while a snapshot is written and
/// segments are swept. Each has keys of its own and raises the versions of everything in one order, so that the state
/// of a cut is known: along that order the versions fall by one at one place, or nowhere.</summary>
internal static class SnapshotTableTraffic
{
    private const int Threads = 3;
    private const int KeysPerThread = 200;

    public static async Task CheckCutAsync(LocalPile pile, SnapshotDirectory folder, int seed)
    {
        using var stop = new CancellationTokenSource();
        var writers = Enumerable.Range(0, Threads).Select(id => new Writer(new Tables(pile), id, seed)).ToArray();
        var threads = writers.Select(writer => new Thread(() => writer.Run(stop.Token))).ToList();
        threads.Add(new Thread(() => Sweep(pile, stop.Token)));
        threads.ForEach(thread => thread.Start());
        await Task.WhenAll(writers.Select(writer => writer.Warm.Task));
        try
        {
            await pile.SaveAsync(folder.Path);
        }
        finally
        {
            await stop.CancelAsync();
            threads.ForEach(thread => thread.Join());
        }

        Assert.All(writers, writer => Assert.Null(writer.Failure));
        using var restored = await folder.RestoreAsync(SnapshotDirectory.Options(128 * Piles.MiB));
        PileValidator.Check(restored);
        Assert.All(restored.Records.All, store => RecordValidator.Check(restored, store));
        var tables = new Tables(restored);
        Assert.All(writers, writer => writer.Check(tables));

        // One that a thread has put and that no entry had adopted yet.
        Assert.InRange(restored.GetStatistics().Objects, tables.Owners.Count, tables.Owners.Count + Threads);
    }

    private static void Sweep(LocalPile pile, CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            foreach (var store in pile.Records.All)
                store.Sweeper.Merge();
        }
    }

    /// <summary>The tables of a pile.</summary>
    private sealed class Tables(LocalPile pile)
    {
        public LocalPile Pile => pile;

        public CacheTable<long, byte[]> NonEvicting { get; } = new PileCache(pile).GetOrCreateTable<long, byte[]>(
            "durable", new CacheTableOptions { Kind = CacheTableKind.NonEvicting });

        /// <summary>So small that it evicts all the time.</summary>
        public CacheTable<long, byte[]> Recent { get; } = new PileCache(pile).GetOrCreateTable<long, byte[]>(
            "recent", new CacheTableOptions { MaxBytes = CacheTableOptions.MinMaxBytes });

        public CacheTable<long, byte[]> Owners { get; } = new PileCache(pile).GetOrCreateTable<long, byte[]>(
            "owners", new CacheTableOptions { Kind = CacheTableKind.NonEvicting });

        public CellTable Cells { get; } = CellTable.GetOrCreate(pile, "cells");

        /// <summary>What is there under a key, in the order of the changes; null for nothing.</summary>
        public IEnumerable<byte[]?> Find(long key)
        {
            yield return NonEvicting.TryGet(key, out var durable) ? durable : null;
            yield return Cells.TryLoad(key, out var cell, out _) ? cell : null;
            yield return Recent.TryGet(key, out var recent) ? recent : null;
            yield return Owners.TryGetPointer(key, out var pointer) ? pile.GetBytes(pointer) : null;
        }
    }

    /// <summary>One thread and the keys that only it changes.</summary>
    private sealed class Writer(Tables tables, int id, int seed)
    {
        private readonly Random _random = new(seed ^ (id << 16));

        public TaskCompletionSource Warm { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Exception? Failure { get; private set; }

        public void Run(CancellationToken cancellationToken)
        {
            try
            {
                for (long version = 1; !cancellationToken.IsCancellationRequested; version++)
                {
                    for (var i = 0; i < KeysPerThread && !cancellationToken.IsCancellationRequested; i++)
                        Change((id * KeysPerThread) + i, version);
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

        public void Check(Tables restored)
        {
            long last = 0;
            long first = 0;
            var missing = 0;
            for (var i = 0; i < KeysPerThread; i++)
            {
                var key = (id * KeysPerThread) + i;
                foreach (var (place, bytes) in restored.Find(key).Index())
                {
                    if (bytes is null)
                    {
                        // Evicted, or between the remove and the put of one key.
                        missing += place == 2 ? 0 : 1;
                        continue;
                    }

                    var found = StormPayload.Parse(bytes);
                    Assert.Equal(key, found.ObjectId);
                    first = first == 0 ? found.Version : first;
                    Assert.True(
                        last == 0 || found.Version == last || (found.Version == last - 1 && last == first),
                        $"Place {place} of key {key} has version {found.Version} behind {last} (seed {seed}).");
                    last = found.Version;
                }
            }

            Assert.InRange(missing, 0, 1);
            Assert.True(first >= 3);
        }

        private void Change(long key, long version)
        {
            var bytes = new byte[_random.Next(20) == 0 ? _random.Next(8, 20_000) : _random.Next(8, 300)];
            new StormPayload(key, version).Write(bytes);
            if ((key + version) % 5 == 0)
                Assert.True(tables.NonEvicting.Remove(key) || version == 1);
            tables.NonEvicting.Put(key, bytes, maxAge: (key + version) % 7 == 0 ? TimeSpan.FromHours(1) : null);
            if ((key + version) % 3 == 0)
                Use(key, bytes);
            else
                tables.Cells.Save(key, 1, bytes);
            tables.Recent.Put(key, bytes, priority: (int)(key % 3));
            tables.Owners.PutPointer(key, tables.Pile.Put(bytes));
        }

        private void Use(long key, byte[] bytes)
        {
            using var cell = tables.Cells.Use(key);
            cell.Replace(2, bytes);
        }
    }
}
