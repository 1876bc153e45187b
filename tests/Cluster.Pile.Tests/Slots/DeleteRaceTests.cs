using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Slots;

/// <summary>Acceptance case 11 of the pile: a read beside a delete gives the object or the exception, never bytes of a
/// successor, also when the slab changes its class in between.</summary>
[Trait("Case", "pile-11")]
public sealed class DeleteRaceTests(ITestOutputHelper output)
{
    private const long RacesShort = 1_000_000;
    private const long RacesLong = 100_000_000;
    private const int Readers = 2;
    private const int Rounds = 12_000;

    [Fact]
    public void Reads_BesideAMillionDeletes_GiveObjectOrNothing() => Run(RacesShort);

    [Fact]
    [Trait("Category", "Soak")]
    public void Reads_BesideHundredMillionDeletes_GiveObjectOrNothing() => Run(RacesLong);

    [Theory]
    [InlineData(64, 64)]
    [InlineData(8, 40)]
    [InlineData(3000, 24)]
    [InlineData(40_000, 300_000)]
    public void Read_BesideDeleteAndReuse_GivesObjectOrException(int size, int otherSize)
    {
        using var pile = Piles.Create(32 * Piles.MiB);
        var rounds = size > 1000 ? Rounds / 20 : Rounds;
        var current = 0UL;
        var done = false;
        Exception? failure = null;
        var reader = new Thread(() =>
        {
            try
            {
                ReadUntilDone();
            }
            catch (Exception e)
            {
                failure = e;
            }
        });
        reader.Start();
        for (var i = 0; i < rounds && failure is null; i++)
        {
            var length = Math.Max(StormPayload.BytesMin, i % 2 == 0 ? size : otherSize);
            var buffer = new byte[length];
            new StormPayload(i, i).Write(buffer);
            var pointer = pile.Put(buffer);
            Volatile.Write(ref current, pointer.ToUInt64());
            if (i % 8 == 0)
                Thread.Yield();
            Assert.True(pile.Delete(pointer));
        }

        Volatile.Write(ref done, true);
        Assert.True(reader.Join(TimeSpan.FromMinutes(1)));
        Assert.Null(failure);
        PileChecks.AllSlotsAreFree(pile);

        void ReadUntilDone()
        {
            var buffer = new byte[Math.Max(size, Math.Max(otherSize, 64))];
            long last = -1;
            while (!Volatile.Read(ref done))
            {
                try
                {
                    var pointer = PilePointer.FromUInt64(Volatile.Read(ref current));
                    var payload = StormPayload.Parse(buffer.AsSpan(0, pile.Read(pointer, buffer)));
                    Assert.True(payload.ObjectId == payload.Version && payload.Version >= last);
                    last = payload.Version;
                }
                catch (InvalidPilePointerException)
                {
                    // Deleted in between.
                }
            }
        }
    }

    [Fact]
    public void Slabs_ThatChangeClassUnderReaders_NeverGiveForeignBytes()
    {
        using var pile = Piles.Create(6 * Piles.MiB);
        var shared = new ulong[512];
        var done = false;
        var failures = 0;
        var readers = Enumerable.Range(0, 3).Select(number => new Thread(() =>
        {
            var random = new Random(number);
            var buffer = new byte[8192];
            while (!Volatile.Read(ref done))
            {
                var index = random.Next(shared.Length);
                try
                {
                    var pointer = PilePointer.FromUInt64(Volatile.Read(ref shared[index]));
                    var payload = StormPayload.Parse(buffer.AsSpan(0, pile.Read(pointer, buffer)));
                    if (payload.ObjectId != index)
                        Interlocked.Increment(ref failures);
                }
                catch (InvalidPilePointerException)
                {
                    // Deleted in between.
                }
                catch (InvalidOperationException)
                {
                    Interlocked.Increment(ref failures);
                }
            }
        })).ToList();
        readers.ForEach(thread => thread.Start());

        var all = new List<PilePointer>();
        for (var round = 0; round < 60; round++)
        {
            var size = (int)(Piles.Mix((ulong)round) % 6000) + 24;
            FillUp(pile, shared, all, size);
            all.ForEach(pointer => Assert.True(pile.Delete(pointer)));
            all.Clear();
        }

        Volatile.Write(ref done, true);
        readers.ForEach(thread => Assert.True(thread.Join(TimeSpan.FromMinutes(1))));
        Assert.Equal(0, failures);
    }

    private void Run(long races)
    {
        using var pile = Piles.Create(16 * Piles.MiB);
        var race = new DeleteRace(pile, 64, 64, 200, 8, 1000);
        race.Run(races, Readers);
        output.WriteLine(race.ToString());
        Assert.Empty(race.Problems);
        PileValidator.Check(pile);
        PileChecks.AllSlotsAreFree(pile);
    }

    private static void FillUp(LocalPile pile, ulong[] shared, List<PilePointer> all, int size)
    {
        var buffer = new byte[size];
        for (var bytes = 0L; bytes < 3 * Piles.MiB; bytes += size)
        {
            var index = all.Count % shared.Length;
            new StormPayload(index, all.Count).Write(buffer);
            all.Add(pile.Put(buffer));
            Volatile.Write(ref shared[index], all[^1].ToUInt64());
        }
    }
}
