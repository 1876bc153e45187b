namespace Cluster.Pile.Tests.Slots;

/// <summary>Threads that get, change in place, replace and delete objects whose pointers they share. A replaced object
/// lives on for a while, as long as its thread goes on to other things, so readers that have its pointer still find it.
/// Every read must be one whole version that existed; where an object has one writer, versions only rise. Owned by one
/// test.</summary>
internal sealed class Storm
{
    private const int SizeMax = 3791;
    private const int GraceMax = 32;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(20);

    private readonly LocalPile _pile;
    private readonly ulong[] _pointers;
    private readonly long[] _versions;
    private readonly bool _isOwned;
    private readonly int _threads;
    private readonly List<Exception> _failures = [];
    private long _reads;
    private long _late;
    private long _writes;

    /// <param name="pile">Where the objects are.</param>
    /// <param name="objects">How many they are.</param>
    /// <param name="threads">How many threads there will be.</param>
    /// <param name="isOwned">Whether each object is changed by one thread only.</param>
    public Storm(LocalPile pile, int objects, int threads, bool isOwned)
    {
        _pile = pile;
        _pointers = new ulong[objects];
        _versions = new long[objects];
        _isOwned = isOwned;
        _threads = threads;
        var buffer = new byte[SizeMax];
        var random = new Random(objects);
        for (var id = 0; id < objects; id++)
            _pointers[id] = pile.Put(Next(id, buffer, random)).ToUInt64();
    }

    public override string ToString() =>
        $"{_threads} threads over {_pointers.Length:N0} {(_isOwned ? "owned" : "shared")} objects: "
            + $"{_reads:N0} reads, {_late:N0} of them too late, {_writes:N0} writes";

    public void Run(int operationsPerThread)
    {
        var all = Enumerable.Range(0, _threads)
            .Select(number => new Thread(() => RunGuarded(number, operationsPerThread))).ToList();
        all.ForEach(thread => thread.Start());
        var started = Stopwatch.GetTimestamp();
        foreach (var thread in all)
        {
            var left = Bound - Stopwatch.GetElapsedTime(started);
            Assert.True(thread.Join(left > TimeSpan.Zero ? left : TimeSpan.Zero), "A thread hangs.");
        }

        Assert.Empty(_failures);
    }

    public void DeleteAll() =>
        Assert.All(_pointers, pointer => Assert.True(_pile.Delete(PilePointer.FromUInt64(pointer))));

    private void RunGuarded(int number, int operations)
    {
        try
        {
            new Worker(this, number).Run(operations);
        }
        catch (Exception e)
        {
            lock (_failures)
                _failures.Add(e);
        }
    }

    private ReadOnlySpan<byte> Next(int id, byte[] buffer, Random random)
    {
        var span = buffer.AsSpan(0, random.Next(SizeMax + 1));
        new StormPayload(id, Interlocked.Increment(ref _versions[id])).Write(span);
        return span;
    }

    /// <summary>What one thread does, and what it has seen.</summary>
    private sealed class Worker(Storm storm, int number)
    {
        private readonly Random _random = new(number);
        private readonly byte[] _buffer = new byte[SizeMax];
        private readonly uint[] _seen = new uint[storm._pointers.Length];
        private readonly Queue<PilePointer> _replaced = new();
        private long _reads;
        private long _late;
        private long _writes;

        public void Run(int operations)
        {
            for (var i = 0; i < operations; i++)
            {
                var id = _random.Next(storm._pointers.Length);
                if (_random.Next(2) == 0)
                    Read(id);
                else
                    Write(storm._isOwned ? Own(id) : id);
            }

            while (_replaced.TryDequeue(out var pointer))
                Assert.True(storm._pile.Delete(pointer));
            Interlocked.Add(ref storm._reads, _reads);
            Interlocked.Add(ref storm._late, _late);
            Interlocked.Add(ref storm._writes, _writes);
        }

        // Among the objects near by the one that this thread may change; -1 when there is none.
        private int Own(int id)
        {
            var own = id - (id % storm._threads) + number;
            return own < storm._pointers.Length ? own : number < storm._pointers.Length ? number : -1;
        }

        private void Read(int id)
        {
            _reads++;
            if (!storm._pile.TryRead(Pointer(id), _buffer, out var length))
            {
                _late++;
                return;
            }

            var bytes = _buffer.AsSpan(0, length);
            if (length < StormPayload.BytesMin)
            {
                if (!StormPayload.IsShortOf(id, bytes))
                    Assert.Fail($"{length} bytes are torn or not of object {id}.");
                return;
            }

            var payload = StormPayload.Parse(bytes);
            Assert.Equal(id, payload.ObjectId);
            Assert.InRange(payload.Version, storm._isOwned ? _seen[id] : 1, Volatile.Read(ref storm._versions[id]));
            _seen[id] = (uint)payload.Version;
        }

        private void Write(int id)
        {
            if (id < 0)
                return;
            _writes++;
            if (_random.Next(20) == 0)
                Replace(id);
            else
                Update(id);
        }

        private void Update(int id)
        {
            try
            {
                storm._pile.Put(Pointer(id), storm.Next(id, _buffer, _random));
            }
            catch (InvalidPilePointerException) when (!storm._isOwned)
            {
                // Another thread replaced and deleted the object between the load of its pointer and its use.
                _late++;
            }
        }

        private void Replace(int id)
        {
            var old = Volatile.Read(ref storm._pointers[id]);
            var fresh = storm._pile.Put(storm.Next(id, _buffer, _random));
            var won = Interlocked.CompareExchange(ref storm._pointers[id], fresh.ToUInt64(), old) == old;
            _replaced.Enqueue(won ? PilePointer.FromUInt64(old) : fresh);
            if (_replaced.Count > GraceMax)
                Assert.True(storm._pile.Delete(_replaced.Dequeue()));
        }

        private PilePointer Pointer(int id) => PilePointer.FromUInt64(Volatile.Read(ref storm._pointers[id]));
    }
}
