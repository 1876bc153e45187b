namespace Cluster.Pile.Tests.Objects;

/// <summary>Many objects in one call: the same as single reads for every kind of object, with misses marked or thrown,
/// also beside deletes and updates, and with nothing allocated.</summary>
public sealed class GetManyTests
{
    private const int AttemptsMax = 200;

    [Fact]
    public void Bytes_OfEveryKindAndSize_AreThoseOfSingleReads()
    {
        using var pile = Piles.Create();
        var pointers = CreateAllKinds(pile);
        var destination = new byte[pointers.Sum(pile.SizeOf)];
        var lengths = new int[pointers.Length + 3];
        Assert.Equal(pointers.Length, pile.GetMany(pointers, destination, lengths));

        var at = 0;
        for (var i = 0; i < pointers.Length; i++)
        {
            var single = new byte[pile.SizeOf(pointers[i])];
            Assert.Equal(single.Length, pile.Read(pointers[i], single));
            Assert.Equal(single.Length, lengths[i]);
            Assert.True(single.AsSpan().SequenceEqual(destination.AsSpan(at, single.Length)));
            at += single.Length;
        }

        Assert.Equal(destination.Length, at);
        Assert.Equal([0, 0, 0], lengths[^3..]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(1000)]
    public void Bytes_OfAnyCount_AreAllRead(int count)
    {
        using var pile = Piles.Create();
        var pointers = Enumerable.Range(0, count).Select(i => pile.Put(Piles.Payload((ulong)i, i % 100))).ToArray();
        var destination = new byte[count * 100];
        var lengths = new int[count];
        Assert.Equal(count, pile.GetMany(pointers, destination, lengths));
        for (int i = 0, at = 0; i < count; at += lengths[i++])
        {
            Assert.Equal(i % 100, lengths[i]);
            Assert.True(Piles.IsPayload(destination.AsSpan(at, lengths[i]), (ulong)i));
        }
    }

    [Fact]
    public void Bytes_IntoSmallDestination_StopBeforeWhatDoesNotFit_AndGoOn()
    {
        using var pile = Piles.Create();
        var pointers = Enumerable.Range(0, 100).Select(i => pile.Put(Piles.Payload((ulong)i, i))).ToArray();
        var destination = new byte[99];
        var lengths = new int[pointers.Length];
        var calls = 0;
        for (var done = 0; done < pointers.Length; calls++)
        {
            var count = pile.GetMany(pointers.AsSpan(done), destination, lengths);
            Assert.True(count > 0);
            var at = 0;
            for (var i = 0; i < count; at += lengths[i++])
                Assert.True(Piles.IsPayload(destination.AsSpan(at, lengths[i]), (ulong)(done + i)));
            done += count;
            if (done < pointers.Length)
                Assert.True(lengths[count] == done && at + done > destination.Length);
        }

        Assert.InRange(calls, 50, 99);
        Assert.Equal(0, pile.GetMany(pointers.AsSpan(99), destination.AsSpan(1), lengths));
        Assert.Equal(99, lengths[0]);
    }

    [Fact]
    public void Bytes_WithStalePointers_AreMarkedOrThrown()
    {
        using var pile = Piles.Create();
        var (pointers, isStale) = CreateWithStale(pile);
        var destination = new byte[pointers.Length * 20];
        var lengths = new int[pointers.Length];

        var e = Assert.Throws<InvalidPilePointerException>(() => pile.GetMany(pointers, destination, lengths));
        Assert.Equal(Array.IndexOf(isStale, true), e.Index);
        Assert.Equal(pointers[e.Index!.Value], e.Pointer);
        Assert.Contains($"index {e.Index}", e.Message, StringComparison.Ordinal);
        CheckMarked();

        Array.Clear(destination);
        Assert.False(pile.TryGetMany(pointers, destination, lengths, out var count));
        Assert.Equal(pointers.Length, count);
        CheckMarked();

        void CheckMarked()
        {
            var at = 0;
            for (var i = 0; i < pointers.Length; i++)
            {
                Assert.Equal(isStale[i] ? -1 : 20, lengths[i]);
                if (isStale[i])
                    continue;
                Assert.True(Piles.IsPayload(destination.AsSpan(at, 20), (ulong)i));
                at += 20;
            }
        }
    }

    [Fact]
    public void Objects_WithStalePointers_AreMarkedOrThrown()
    {
        using var pile = Piles.Create();
        var (pointers, isStale) = CreateWithStale(pile);
        var results = new byte[]?[pointers.Length];
        var e = Assert.Throws<InvalidPilePointerException>(() => pile.GetMany<byte[]>(pointers, results!));
        Assert.Equal(Array.IndexOf(isStale, true), e.Index);
        CheckMarked();

        Array.Fill(results, [1, 2, 3]);
        Assert.False(pile.TryGetMany<byte[]>(pointers, results));
        CheckMarked();

        void CheckMarked()
        {
            for (var i = 0; i < pointers.Length; i++)
                Assert.True(isStale[i] ? results[i] is null : Piles.IsPayload(results[i]!, (ulong)i));
        }
    }

    [Fact]
    public void Objects_OfAllKinds_AreThoseOfSingleGets()
    {
        using var pile = Piles.Create();
        var pointers = CreateAllKinds(pile);
        var results = new object?[pointers.Length];
        pile.GetMany<object>(pointers, results!);
        for (var i = 0; i < pointers.Length; i++)
            Assert.Equal(pile.Get<object>(pointers[i]), results[i]);
        Assert.True(pile.TryGetMany<object>(pointers, results));

        var numbers = new int[2];
        pile.GetMany([pile.Put(7), pile.Put(8)], numbers.AsSpan());
        Assert.Equal([7, 8], numbers);
    }

    [Fact]
    public void Objects_OfAnotherType_Throw_AndThoseBeforeAreThere()
    {
        using var pile = Piles.Create();
        PilePointer[] pointers = [pile.Put("a"), pile.Put(new byte[3]), pile.Put("c")];
        var results = new string[3];
        Assert.Throws<InvalidCastException>(() => pile.GetMany(pointers, results.AsSpan()));
        Assert.Equal(["a", null!, null!], results);
    }

    [Fact]
    public void TooFewPlaces_OrDisposedPile_AreRefused()
    {
        var pile = Piles.Create();
        PilePointer[] pointers = [pile.Put("a"), pile.Put("b")];
        var lengths = new int[2];
        Assert.Throws<ArgumentException>(() => pile.GetMany(pointers, new byte[9], lengths.AsSpan(1)));
        Assert.Throws<ArgumentException>(() => pile.TryGetMany(pointers, new byte[9], lengths.AsSpan(1), out _));
        Assert.Throws<ArgumentException>(() => pile.GetMany(pointers, new string[1].AsSpan()));
        Assert.Throws<ArgumentException>(() => pile.TryGetMany<string>(pointers, new string?[1]));
        Assert.Equal([0, 0], lengths);
        pile.Dispose();
        Assert.Throws<ObjectDisposedException>(() => pile.GetMany(pointers, new byte[9], lengths));
        Assert.Throws<ObjectDisposedException>(() => pile.GetMany(pointers, new string[2].AsSpan()));
    }

    [Fact]
    public void AnyPointers_DoNoHarm()
    {
        using var pile = Piles.Create();
        var random = new Random(11);
        pile.Put(new byte[300_000]);
        var pointers = Enumerable.Range(0, 100_000).Select(_ => PilePointer.FromUInt64(
            ((ulong)random.NextInt64(long.MinValue, long.MaxValue) << 32) | (uint)random.Next(1 << 25))).ToArray();
        Assert.False(pile.TryGetMany(pointers, new byte[100], new int[pointers.Length], out var count));
        Assert.Equal(pointers.Length, count);
    }

    [Fact]
    public void Bytes_InManyCalls_AllocateNothing()
    {
        using var pile = Piles.Create();
        var pointers = Enumerable.Range(0, 1000).Select(i => pile.Put(new byte[i % 90].AsSpan())).ToArray();
        var destination = new byte[100_000];
        var lengths = new int[pointers.Length];
        pile.GetMany(pointers, destination, lengths);
        // A collection in between makes the runtime's figure jump, so one clean try out of many is asked for.
        var allocated = long.MaxValue;
        for (var attempt = 0; attempt < AttemptsMax && allocated > 0; attempt++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 10; i++)
                pile.GetMany(pointers, destination, lengths);
            allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, allocated);
    }

    [Fact]
    public void Bytes_BesideDeletesAndUpdates_AreWholeOrMarked()
    {
        using var pile = Piles.Create();
        var shared = new PileChurn(pile, objects: 500);
        var done = false;
        var writer = new Thread(() =>
        {
            var random = new Random(13);
            while (!Volatile.Read(ref done))
                shared.ChangeOne(random);
        });
        writer.Start();
        try
        {
            var destination = new byte[500 * PileChurn.SizeMax];
            var (pointers, lengths) = (new PilePointer[500], new int[500]);
            for (var round = 0; round < 400; round++)
            {
                shared.CopyPointers(pointers);
                pile.TryGetMany(pointers, destination, lengths, out var count);
                Assert.Equal(pointers.Length, count);
                shared.Check(destination, lengths);
            }
        }
        finally
        {
            Volatile.Write(ref done, true);
            writer.Join();
        }

        Assert.True(shared.Deletes > 0 && shared.Updates > 0);
    }

    // Bytes, both kinds of strings, graphs, linked objects, and ones above every limit of the fast paths.
    private static PilePointer[] CreateAllKinds(LocalPile pile)
    {
        var pointers = new List<PilePointer>();
        foreach (var size in (int[])[0, 1, 7, 8, 9, 63, 64, 65, 511, 513, 4096, 16_384, 16_385, 262_143, 262_144, 1_000_000])
        {
            pointers.Add(pile.Put(Piles.Payload((ulong)size, size)));
            pointers.Add(pile.Put(new string('x', size)));
            pointers.Add(pile.Put(new string('\u0416', size / 2)));
            pointers.Add(pile.Put((size, $"text {size}", 1.5)));
            pointers.Add(pile.Put(new byte[3]));
            pile.Put(pointers[^1], Piles.Payload(1, size));
            pointers.Add(pile.Put("short"));
            pile.Put(pointers[^1], new string('y', size));
        }

        Assert.True(pile.GetStatistics().Links > 0);
        PilePointer[] all = [.. pointers];
        new Random(7).Shuffle(all);
        return all;
    }

    private static (PilePointer[] Pointers, bool[] IsStale) CreateWithStale(LocalPile pile)
    {
        var pointers = Enumerable.Range(0, 300).Select(i => pile.Put(Piles.Payload((ulong)i, 20))).ToArray();
        var isStale = Enumerable.Range(0, 300).Select(i => i % 7 == 5).ToArray();
        for (var i = 0; i < pointers.Length; i++)
            Assert.True(!isStale[i] || pile.Delete(pointers[i]));
        return (pointers, isStale);
    }

    // Objects that one thread updates, grows and replaces; the reader checks what it got against the object's number.
    private sealed class PileChurn
    {
        public const int SizeMax = 400;

        private readonly LocalPile _pile;
        private readonly ulong[] _pointers;
        private readonly byte[] _buffer = new byte[SizeMax];

        public PileChurn(LocalPile pile, int objects)
        {
            _pile = pile;
            _pointers = new ulong[objects];
            var random = new Random(objects);
            for (var id = 0; id < objects; id++)
                _pointers[id] = pile.Put(Next(id, random)).ToUInt64();
        }

        public int Deletes { get; private set; }

        public int Updates { get; private set; }

        public void ChangeOne(Random random)
        {
            var id = random.Next(_pointers.Length);
            var pointer = PilePointer.FromUInt64(_pointers[id]);
            if (random.Next(2) == 0)
            {
                _pile.Put(pointer, Next(id, random));
                Updates++;
                return;
            }

            _pile.Delete(pointer);
            Volatile.Write(ref _pointers[id], _pile.Put(Next(id, random)).ToUInt64());
            Deletes++;
        }

        public void CopyPointers(PilePointer[] pointers)
        {
            for (var id = 0; id < pointers.Length; id++)
                pointers[id] = PilePointer.FromUInt64(Volatile.Read(ref _pointers[id]));
        }

        public void Check(ReadOnlySpan<byte> bytes, int[] lengths)
        {
            for (var id = 0; id < lengths.Length; id++)
            {
                if (lengths[id] < 0)
                    continue;
                Assert.Equal(id, StormPayload.Parse(bytes[..lengths[id]]).ObjectId);
                bytes = bytes[lengths[id]..];
            }
        }

        private ReadOnlySpan<byte> Next(int id, Random random)
        {
            var span = _buffer.AsSpan(0, random.Next(StormPayload.BytesMin, SizeMax + 1));
            new StormPayload(id, random.Next()).Write(span);
            return span;
        }
    }
}
