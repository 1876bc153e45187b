namespace Cluster.Pile.Tests;

/// <summary>A thread that puts and deletes objects one after the other, and threads that read the newest of them all
/// the time. Each deletion is a race with their reads. Now and then all is purged, so that slabs change their class
/// under the readers. Owned by one test; what the threads share are single words, read and written
/// atomically.</summary>
/// <remarks>Objects of these sizes come in turn.</remarks>
internal sealed class DeleteRace(LocalPile pile, params int[] sizes)
{
    private const int BufferBytes = 4096;
    private const int PurgeEvery = 20_000;

    // So that readers on the same processor get in between, too.
    private const int YieldEvery = 4096;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(30);

    private readonly LocalPile _pile = pile;
    private readonly int[] _sizes = sizes;
    private readonly List<string> _problems = [];
    private ulong _current;
    private long _found;
    private long _missed;
    private long _races;
    private bool _isOver;

    public IReadOnlyList<string> Problems => _problems;

    public override string ToString() =>
        $"{_races:N0} races: {_found:N0} reads found their object, {_missed:N0} came too late";

    /// <summary>Runs this number of races, fewer when reads go wrong.</summary>
    public void Run(long races, int readers)
    {
        var threads = Enumerable.Range(0, readers).Select(_ => new Thread(Read)).ToList();
        threads.ForEach(thread => thread.Start());
        try
        {
            var buffer = new byte[BufferBytes];
            for (_races = 0; _races < races && _problems.Count == 0; _races++)
                RunOne(buffer);
        }
        finally
        {
            Volatile.Write(ref _isOver, true);
            foreach (var thread in threads)
                Assert.True(thread.Join(Bound), "A reader hangs.");
        }
    }

    private void RunOne(byte[] buffer)
    {
        var bytes = buffer.AsSpan(0, _sizes[_races % _sizes.Length]);
        new StormPayload(_races % 1000, _races).Write(bytes);
        var pointer = _pile.Put(bytes);
        Volatile.Write(ref _current, pointer.ToUInt64());
        if (_races % YieldEvery == 0)
            Thread.Yield();
        if (_races % PurgeEvery == PurgeEvery - 1)
            _pile.Purge();
        else
            Assert.True(_pile.Delete(pointer));
    }

    private void Read()
    {
        var buffer = new byte[BufferBytes];
        var (found, missed, last) = (0L, 0L, -1L);
        while (!Volatile.Read(ref _isOver))
        {
            var pointer = PilePointer.FromUInt64(Volatile.Read(ref _current));
            if (!_pile.TryRead(pointer, buffer, out var length))
            {
                missed++;
                continue;
            }

            found++;
            if (Problem(buffer.AsSpan(0, length), ref last) is { } problem)
                Report(problem);
        }

        Interlocked.Add(ref _found, found);
        Interlocked.Add(ref _missed, missed);
    }

    // A pointer never leads to an older object than the pointer before it did, and never to half of one.
    private static string? Problem(ReadOnlySpan<byte> bytes, ref long last)
    {
        StormPayload payload;
        try
        {
            payload = StormPayload.Parse(bytes);
        }
        catch (InvalidOperationException e)
        {
            return e.Message;
        }

        if (payload.ObjectId != payload.Version % 1000 || payload.Version < last)
            return $"{payload} after {last}";
        last = payload.Version;
        return null;
    }

    private void Report(string problem)
    {
        lock (_problems)
        {
            _problems.Add(problem);
            Volatile.Write(ref _isOver, true);
        }
    }
}
