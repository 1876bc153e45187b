namespace Cluster.Pile.Tests;

/// <summary>
/// Acceptance case 10 of the pile in short form: many threads over shared pointers; no read is ever torn.
/// </summary>
public sealed class ThreadStormTests
{
    private const int OperationsPerThread = 6000;

    [Theory]
    [InlineData(8, 1)]
    [InlineData(8, 12)]
    [InlineData(16, 256)]
    [InlineData(4, 20_000)]
    public void SharedPointers_UnderStorm_AreReadWhole(int threads, int objects)
    {
        using var pile = Piles.Create(256 * Piles.MiB);
        var storm = new Storm(pile, objects, writers: threads);
        storm.RunAll(threads, OperationsPerThread);
        storm.DeleteAll();
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void OneWriterPerObject_VersionsOnlyRise()
    {
        using var pile = Piles.Create(256 * Piles.MiB);
        var storm = new Storm(pile, objects: 64, writers: 1);
        storm.RunAll(threads: 6, OperationsPerThread);
        storm.DeleteAll();
        Piles.CheckEmpty(pile);
    }

    [Fact]
    [Trait("Category", "Soak")]
    public void SharedPointers_UnderLongStorm_AreReadWhole()
    {
        for (var round = 0; round < 10; round++)
        {
            using var pile = Piles.Create(256 * Piles.MiB);
            var storm = new Storm(pile, 64, writers: 16);
            storm.RunAll(16, 50_000);
            storm.DeleteAll();
            PileChecks.AllSlotsAreFree(pile);
        }
    }

    // The slots of the array are replaced by threads; whoever reads a pointer that was just replaced gets the
    // exception.
    private sealed class Storm
    {
        private const int SizeMax = 3791;

        private readonly LocalPile _pile;
        private readonly ulong[] _pointers;
        private readonly long[] _versions;
        private readonly int _writers;

        public Storm(LocalPile pile, int objects, int writers)
        {
            _pile = pile;
            _pointers = new ulong[objects];
            _versions = new long[objects];
            _writers = writers;
            var buffer = new byte[SizeMax];
            var random = new Random(objects);
            for (var id = 0; id < objects; id++)
                _pointers[id] = pile.Put(Next(id, buffer, random)).ToUInt64();
        }

        public void RunAll(int threads, int operations)
        {
            var failures = new List<Exception>();
            var all = Enumerable.Range(0, threads).Select(number => new Thread(() =>
            {
                try
                {
                    Run(number, operations);
                }
                catch (Exception e)
                {
                    lock (failures)
                        failures.Add(e);
                }
            })).ToList();
            all.ForEach(thread => thread.Start());
            all.ForEach(thread => Assert.True(thread.Join(TimeSpan.FromMinutes(2)), "A thread hangs."));
            Assert.Empty(failures);
        }

        public void DeleteAll()
            => Assert.All(_pointers, pointer => Assert.True(_pile.Delete(PilePointer.FromUInt64(pointer))));

        private void Run(int number, int operations)
        {
            var random = new Random(number);
            var buffer = new byte[SizeMax];
            var seen = new long[_pointers.Length];
            for (var i = 0; i < operations; i++)
            {
                var id = random.Next(_pointers.Length);
                var writes = number < _writers && random.Next(10) < 5;
                try
                {
                    if (!writes)
                        Read(id, buffer, seen);
                    else if (random.Next(20) == 0)
                        Replace(id, buffer, random);
                    else
                        _pile.Put(Pointer(id), Next(id, buffer, random));
                }
                catch (InvalidPilePointerException) when (_writers > 0)
                {
                    // Another thread replaced the object between the load of its pointer and its use.
                }
            }
        }

        private void Read(int id, byte[] buffer, long[] seen)
        {
            var length = _pile.Read(Pointer(id), buffer);
            var payload = StormPayload.Parse(buffer.AsSpan(0, length));
            Assert.Equal(id, payload.ObjectId);
            Assert.True(_writers > 1 || payload.Version >= seen[id], "A version came back.");
            seen[id] = payload.Version;
        }

        private void Replace(int id, byte[] buffer, Random random)
        {
            var old = Volatile.Read(ref _pointers[id]);
            var fresh = _pile.Put(Next(id, buffer, random));
            var won = Interlocked.CompareExchange(ref _pointers[id], fresh.ToUInt64(), old) == old;
            Assert.True(_pile.Delete(won ? PilePointer.FromUInt64(old) : fresh));
        }

        private PilePointer Pointer(int id) => PilePointer.FromUInt64(Volatile.Read(ref _pointers[id]));

        private ReadOnlySpan<byte> Next(int id, byte[] buffer, Random random)
        {
            var span = buffer.AsSpan(0, random.Next(StormPayload.BytesMin, SizeMax));
            new StormPayload(id, Interlocked.Increment(ref _versions[id])).Write(span);
            return span;
        }
    }
}
