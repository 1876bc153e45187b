using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Expiry;

/// <summary>Reads and updates beside expiry: each gets the whole object or the exception, never bytes of a successor,
/// and nothing is seen once its time to live is over.</summary>
public sealed class ExpiryRaceTests(ITestOutputHelper output)
{
    private const int Rounds = 8000;

    private readonly ManualTimeProvider _time = new();
    private readonly ulong[] _shared = new ulong[32];
    private readonly TimeSpan[] _ends = new TimeSpan[Rounds];
    private long _versionLast;
    private long _reads;
    private long _misses;
    private bool _done;

    [Fact]
    public void ReadsAndUpdates_BesideExpiry_GiveWholeObjectsInTimeOrExceptions()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 16 * Piles.MiB, TimeProvider = _time });
        var failures = new List<Exception>();
        Action<LocalPile, Random>[] loops = [ReadOne, ReadOne, UpdateOne];
        var threads = loops
            .Select((loop, seed) => new Thread(() => Run(pile, loop, new Random(seed), failures)))
            .ToList();
        threads.ForEach(thread => thread.Start());
        var random = new Random(7);
        for (var round = 0; round < Rounds; round++)
        {
            var life = TimeSpan.FromSeconds(0.1 + (random.NextDouble() * 3));
            _ends[round] = _time.Elapsed + life;
            var pointer = pile.Put(NextPayload(round, random), new PutHints { TimeToLive = life });
            Volatile.Write(ref _shared[random.Next(_shared.Length)], pointer.ToUInt64());
            _time.Advance(TimeSpan.FromMilliseconds(random.Next(100)));
        }

        Volatile.Write(ref _done, true);
        threads.ForEach(thread => Assert.True(thread.Join(TimeSpan.FromMinutes(1))));
        Assert.Empty(failures);
        Assert.True(_reads > 0 && _misses > 0);
        _time.Advance(TimeSpan.FromSeconds(6));
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
        output.WriteLine($"{Rounds:N0} objects, {_reads:N0} reads, {_misses:N0} too late");
    }

    [Fact]
    public void TimeToLive_SetWhileTheObjectGrows_IsNotLost()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64 * Piles.MiB, TimeProvider = _time });
        var pointers = Enumerable.Range(0, 4000).Select(_ => pile.Put(new byte[8])).ToArray();
        var at = 0;
        var grower = new Thread(() =>
        {
            for (var i = 0; i < pointers.Length; i++)
            {
                Volatile.Write(ref at, i);
                for (var size = 100; size < 1000; size += 100)
                    pile.Put(pointers[i], new byte[size]);
            }
        });
        grower.Start();
        for (var i = 0; i < pointers.Length; i++)
        {
            while (Volatile.Read(ref at) < i)
                Thread.Yield();
            pile.Put(pointers[i], new byte[8], new PutHints { TimeToLive = TimeSpan.FromHours(1) });
        }

        Assert.True(grower.Join(TimeSpan.FromMinutes(1)));
        _time.Advance(TimeSpan.FromHours(2));
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
    }

    private void Run(LocalPile pile, Action<LocalPile, Random> loop, Random random, List<Exception> failures)
    {
        while (!Volatile.Read(ref _done))
        {
            try
            {
                loop(pile, random);
            }
            catch (InvalidPilePointerException)
            {
                Interlocked.Increment(ref _misses);
            }
            catch (Exception e)
            {
                lock (failures)
                    failures.Add(e);
                return;
            }
        }
    }

    private void ReadOne(LocalPile pile, Random random)
    {
        var before = _time.Elapsed;
        var payload = StormPayload.Parse(pile.GetBytes(AnyPointer(random)));
        var end = _ends[payload.ObjectId];
        if (end <= before)
            throw new InvalidOperationException($"{payload} was seen at {before}, its end is {end}.");
        Interlocked.Increment(ref _reads);
    }

    // Without hints, so the object keeps its end.
    private void UpdateOne(LocalPile pile, Random random)
    {
        var pointer = AnyPointer(random);
        var payload = StormPayload.Parse(pile.GetBytes(pointer));
        pile.Put(pointer, NextPayload(payload.ObjectId, random));
    }

    private PilePointer AnyPointer(Random random) =>
        PilePointer.FromUInt64(Volatile.Read(ref _shared[random.Next(_shared.Length)]));

    private byte[] NextPayload(long objectId, Random random)
    {
        var payload = new byte[StormPayload.BytesMin + (int)Math.Pow(30_000, random.NextDouble())];
        new StormPayload(objectId, Interlocked.Increment(ref _versionLast)).Write(payload);
        return payload;
    }
}
