using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tests.Tables;

/// <summary>Threads that put, read and remove records of keys that they share. Every value says which key and version
/// it is and is full of bytes that follow from both, so a mixture of two is noticed; each key has one writer, whose
/// versions only rise, and no reader ever sees an older version after a newer one. Owned by one test.</summary>
/// <param name="store">Where the records are.</param>
/// <param name="keys">How many keys there are.</param>
/// <param name="writers">Threads that change them, each its own.</param>
/// <param name="lengthMax">The longest value.</param>
internal sealed class RecordStorm(RecordStore store, int keys, int writers, int lengthMax)
{
    private const int HeadBytes = 16;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(10);

    private readonly RecordStore _store = store;
    private readonly int _keys = keys;
    private readonly int _writers = writers;
    private readonly int _lengthMax = lengthMax;
    private readonly long[] _begun = new long[keys];

    // The last write that is over, twice, and one more when it left the key there.
    private readonly long[] _done = new long[keys];
    private readonly List<Exception> _failures = [];
    private long _reads;
    private long _hits;
    private long _writes;
    private int _running;

    /// <summary>Whether the table may lose entries by itself.</summary>
    public bool MayForget { get; init; }

    public override string ToString() => $"{_reads:N0} reads, {_hits:N0} hits, {_writes:N0} writes";

    public void Run(int readers, int writesPerThread, Action? beside = null)
    {
        _running = _writers;
        var threads = Enumerable.Range(0, _writers)
            .Select(number => new Thread(() => RunGuarded(() => Write(number, writesPerThread))))
            .Concat(Enumerable.Range(0, readers).Select(number => new Thread(() => RunGuarded(() => Read(number)))))
            .ToList();
        if (beside is not null)
            threads.Add(new Thread(() => RunGuarded(() => Repeat(beside))));
        threads.ForEach(thread => thread.Start());
        var started = Stopwatch.GetTimestamp();
        foreach (var thread in threads)
        {
            var left = Bound - Stopwatch.GetElapsedTime(started);
            Assert.True(thread.Join(left > TimeSpan.Zero ? left : TimeSpan.Zero), "A thread hangs.");
        }

        Assert.Empty(_failures);
        Assert.True(_hits > 0);
    }

    private void RunGuarded(Action work)
    {
        try
        {
            work();
        }
        catch (Exception failure)
        {
            lock (_failures)
                _failures.Add(failure);
            Volatile.Write(ref _running, 0);
        }
    }

    private void Repeat(Action beside)
    {
        while (Volatile.Read(ref _running) > 0)
            beside();
    }

    private void Write(int number, int writes)
    {
        var random = new Random(number);
        var buffer = new byte[HeadBytes + _lengthMax];
        for (var write = 1; write <= writes && Volatile.Read(ref _running) > 0; write++)
        {
            long key = (random.Next(_keys / _writers) * _writers) + number;
            var name = RecordKey.Of(_store.Hash, in key);
            var isRemoval = random.Next(8) == 0;
            Volatile.Write(ref _begun[key], write);
            if (isRemoval)
            {
                var status = _store.Remove(name);
                Assert.True(status is RecordStatus.Found or RecordStatus.Missing, status.ToString());
            }
            else
            {
                var value = Fill(buffer, key, write, random.Next(4) == 0 ? random.Next(_lengthMax) : 40);
                var status = _store.Put(name, default, value);
                Assert.True(status is RecordStatus.Inserted or RecordStatus.Replaced, status.ToString());
            }

            Volatile.Write(ref _done[key], (write * 2L) + (isRemoval ? 0 : 1));
        }

        Interlocked.Add(ref _writes, writes);
        Interlocked.Decrement(ref _running);
    }

    private void Read(int number)
    {
        var random = new Random(~number);
        var buffer = new byte[HeadBytes + _lengthMax];
        var seen = new long[_keys];
        long reads = 0;
        long hits = 0;
        while (Volatile.Read(ref _running) > 0)
        {
            long key = random.Next(_keys);
            var done = Volatile.Read(ref _done[key]);
            reads++;
            if (_store.Read(RecordKey.Of(_store.Hash, in key), buffer, out var found) != RecordStatus.Found)
            {
                var isLost = (done & 1) != 0 && Volatile.Read(ref _begun[key]) == done >> 1;
                Assert.True(MayForget || !isLost, $"{key} is lost");
                continue;
            }

            hits++;
            var value = buffer.AsSpan(0, found.Length);
            var version = BinaryPrimitives.ReadInt64LittleEndian(value[8..]);
            Assert.Equal(key, BinaryPrimitives.ReadInt64LittleEndian(value));
            Assert.True(Piles.IsPayload(value[HeadBytes..], Seed(key, version)), "The value is one that was put.");
            var isInOrder = version >= seen[key] && version >= done >> 1;
            Assert.True(isInOrder, $"{key}: {version} after {seen[key]} and {done >> 1}");
            seen[key] = version;
        }

        Interlocked.Add(ref _reads, reads);
        Interlocked.Add(ref _hits, hits);
    }

    private static Span<byte> Fill(byte[] buffer, long key, long version, int length)
    {
        var value = buffer.AsSpan(0, HeadBytes + length);
        BinaryPrimitives.WriteInt64LittleEndian(value, key);
        BinaryPrimitives.WriteInt64LittleEndian(value[8..], version);
        Piles.Fill(value[HeadBytes..], Seed(key, version));
        return value;
    }

    private static ulong Seed(long key, long version) => Piles.Mix(((ulong)key << 32) ^ (ulong)version);
}
