namespace Cluster.Pile.Tests.Views;

/// <summary>Threads over shared objects, each of which describes itself. The array of pointers changes by
/// compare-and-swap; a pointer that was just replaced gives the documented exception.</summary>
internal sealed class ViewStorm
{
    // Through slots, links and the long objects that are copied under lock.
    private const int SizeMax = 40_000;
    private const int SizeMostlyMax = 600;

    private readonly LocalPile _pile;
    private readonly bool _waits;
    private readonly int _seed;
    private readonly ulong[] _pointers;
    private readonly List<Exception> _failures = [];
    private long _versions;
    private long _views;
    private long _refused;

    public ViewStorm(LocalPile pile, int objects, bool waits, int seed)
    {
        (_pile, _waits, _seed) = (pile, waits, seed);
        _pointers = new ulong[objects];
        var random = new Random(seed);
        for (var id = 0; id < objects; id++)
            _pointers[id] = pile.Put(Next(id, new byte[SizeMax], random)).ToUInt64();
    }

    public long Views => _views;

    public long Refused => _refused;

    public void RunAll(int threads, int operations)
    {
        var all = Enumerable.Range(0, threads).Select(number => new Thread(() =>
        {
            try
            {
                Run(new Random(_seed + (number * 1000)), operations);
            }
            catch (Exception e)
            {
                lock (_failures)
                    _failures.Add(e);
            }
        })).ToList();
        all.ForEach(thread => thread.Start());
        all.ForEach(thread => Assert.True(thread.Join(TimeSpan.FromMinutes(3)), "A thread hangs."));
        Assert.Empty(_failures);
    }

    public void DeleteAll() =>
        Assert.All(_pointers, pointer => Assert.True(_pile.Delete(PilePointer.FromUInt64(pointer))));

    private void Run(Random random, int operations)
    {
        var buffer = new byte[SizeMax];
        for (var i = 0; i < operations; i++)
        {
            try
            {
                Step(random.Next(_pointers.Length), buffer, random);
            }
            catch (InvalidPilePointerException)
            {
                // Another thread replaced the object between the load of its pointer and its use.
            }
            catch (PileBusyException) when (!_waits)
            {
                Interlocked.Increment(ref _refused);
            }
        }
    }

    private void Step(int id, byte[] buffer, Random random)
    {
        switch (random.Next(10))
        {
            case < 5:
                View(id, depth: random.Next(3), buffer, random);
                break;
            case < 7:
                Check(id, buffer.AsSpan(0, _pile.Read(Pointer(id), buffer)));
                break;
            case 7:
                Replace(id, buffer, random);
                break;
            default:
                _pile.Put(Pointer(id), Next(id, buffer, random));
                break;
        }
    }

    // Never changes another object while it holds a view when changes wait: two threads would wait for each other.
    private void View(int id, int depth, byte[] buffer, Random random)
    {
        using var view = _pile.OpenView(Pointer(id));
        Interlocked.Increment(ref _views);
        var before = Check(id, view.Span);
        if (depth > 0)
            View(random.Next(2) == 0 ? id : random.Next(_pointers.Length), depth - 1, buffer, random);
        else if (random.Next(4) == 0)
            Thread.Yield();
        if (random.Next(8) == 0)
            CheckOwnChangeThrows(view.Pointer);
        if (random.Next(4) == 0)
            Assert.Equal(before, Check(id, buffer.AsSpan(0, _pile.Read(view.Pointer, buffer))));
        Assert.Equal(before, Check(id, view.Span));
    }

    private void CheckOwnChangeThrows(PilePointer pointer)
    {
        Assert.Throws<PileBusyException>(() => _pile.Put(pointer, "own"u8));
        Assert.Throws<PileBusyException>(() => _pile.Delete(pointer));
    }

    private void Replace(int id, byte[] buffer, Random random)
    {
        var old = Volatile.Read(ref _pointers[id]);
        var fresh = _pile.Put(Next(id, buffer, random));
        var won = Interlocked.CompareExchange(ref _pointers[id], fresh.ToUInt64(), old) == old;
        var loser = won ? PilePointer.FromUInt64(old) : fresh;
        while (!TryDelete(loser))
            Thread.Yield();
    }

    private bool TryDelete(PilePointer pointer)
    {
        try
        {
            Assert.True(_pile.Delete(pointer));
            return true;
        }
        catch (PileBusyException) when (!_waits)
        {
            Interlocked.Increment(ref _refused);
            return false;
        }
    }

    private static StormPayload Check(int id, ReadOnlySpan<byte> bytes)
    {
        var payload = StormPayload.Parse(bytes);
        Assert.Equal(id, payload.ObjectId);
        return payload;
    }

    private PilePointer Pointer(int id) => PilePointer.FromUInt64(Volatile.Read(ref _pointers[id]));

    private ReadOnlySpan<byte> Next(int id, byte[] buffer, Random random)
    {
        var max = random.Next(20) == 0 ? SizeMax : SizeMostlyMax;
        var span = buffer.AsSpan(0, random.Next(StormPayload.BytesMin, max));
        new StormPayload(id, Interlocked.Increment(ref _versions)).Write(span);
        return span;
    }
}
