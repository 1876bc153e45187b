namespace Cluster.Pile.Tests.Objects;

/// <summary>A pile and a model of it, both changed by the same random operations: put 40, get 30, put in place 20,
/// delete 10 of 100, sizes log-uniform; now and then compaction, purge, relief from a full pile. Owned by one
/// test.</summary>
/// <remarks>Takes over the pile.</remarks>
internal sealed class ModelFuzz(LocalPile pile, int seed, int sizeMax) : IDisposable
{
    private const int StaleMax = 10_000;
    private const int ManyMax = 40;
    private const int CompactEvery = 20_000;
    private const int PurgeEvery = 150_000;

    private readonly LocalPile _pile = pile;
    private readonly Random _random = new Random(seed);
    private readonly int _sizeMax = sizeMax;
    private readonly List<Entry> _live = [];
    private readonly List<PilePointer> _stale = [];
    private readonly byte[] _buffer = new byte[sizeMax];
    private readonly byte[] _payload = new byte[sizeMax];
    private long _operations;
    private long _gets;
    private long _replaced;
    private long _deleted;
    private long _full;
    private long _compactions;
    private long _purges;
    private long _validated;

    public int Seed { get; } = seed;

    public void Dispose() => _pile.Dispose();

    public override string ToString() =>
        $"{_operations:N0} operations: {_gets:N0} gets, {_replaced:N0} in place, {_deleted:N0} deletes, "
            + $"{_full:N0} when full, {_compactions:N0} compactions, {_purges:N0} purges; "
            + $"validated {_validated:N0} times.";

    public void Run(long operations)
    {
        for (long i = 0; i < operations; i++)
        {
            try
            {
                Step();
            }
            catch (Exception e)
            {
                throw new InvalidOperationException(
                    $"seed {Seed}, sizes to {_sizeMax}, operation {_operations}: {e.Message}", e);
            }
        }
    }

    /// <summary>Structures agree with each other, objects with the model, and old pointers stay refused.</summary>
    public void Validate()
    {
        var pointers = PileValidator.Check(_pile);
        Assert.True(pointers.SetEquals(_live.Select(entry => entry.Pointer)), $"seed {Seed}: other objects.");
        Assert.Equal(_live.Sum(entry => (long)entry.Size), _pile.GetStatistics().LiveBytes);
        for (var i = 0; i < _live.Count; i++)
            Get(i);
        Assert.DoesNotContain(_stale, pointer => _pile.Delete(pointer) || _pile.TryRead(pointer, _buffer, out _));
        _validated++;
    }

    public void DeleteAll()
    {
        while (_live.Count > 0)
            Delete(_live.Count - 1);
        Assert.DoesNotContain(_stale, pointer => _pile.TryRead(pointer, _buffer, out _));
        Piles.CheckEmpty(_pile);
        PileChecks.AllSlotsAreFree(_pile);
        Assert.Empty(PileValidator.Check(_pile));
    }

    /// <summary>A run that never did some of what it should proves nothing about it.</summary>
    public void CheckAllWasUsed()
    {
        Assert.InRange(_replaced, _operations / 10, _operations);
        Assert.InRange(_gets, _operations / 5, long.MaxValue);
        Assert.InRange(_compactions, _operations / CompactEvery / 4, _operations);
        Assert.InRange(_stale.Count, 1, StaleMax);
    }

    private void Step()
    {
        _operations++;
        if (_random.Next(CompactEvery) == 0)
            Compact();
        if (_random.Next(PurgeEvery) == 0)
            Purge();
        var roll = _random.Next(100);
        if (roll < 40 || _live.Count == 0)
            Put();
        else if (roll < 68)
            Get(_random.Next(_live.Count));
        else if (roll < 70)
            GetMany();
        else if (roll < 90)
            Replace(_random.Next(_live.Count));
        else
            Delete(_random.Next(_live.Count));
    }

    private void Put()
    {
        var payload = NextPayload();
        try
        {
            _live.Add(new Entry(_pile.Put(payload), (ulong)_operations, payload.Length));
        }
        catch (PileFullException)
        {
            MakeRoom();
        }
    }

    private void Replace(int index)
    {
        var payload = NextPayload();
        var pointer = _live[index].Pointer;
        try
        {
            _pile.Put(pointer, payload);
            _live[index] = new Entry(pointer, (ulong)_operations, payload.Length);
            _replaced++;
        }
        catch (PileFullException)
        {
            Get(index);
            MakeRoom();
        }
    }

    private void Get(int index)
    {
        _gets++;
        var entry = _live[index];
        var size = _pile.Read(entry.Pointer, _buffer);
        if (size != entry.Size)
            Assert.Fail($"{entry} has {size} bytes.");
        CheckPayload(entry, _buffer);
    }

    // A row of objects with a stale pointer among them.
    private void GetMany()
    {
        _gets++;
        var indexes = Enumerable.Range(0, _random.Next(1, ManyMax)).Select(_ => _random.Next(_live.Count)).ToArray();
        var pointers = indexes.Select(index => _live[index].Pointer).ToList();
        if (_stale.Count > 0)
            pointers.Insert(0, _stale[_random.Next(_stale.Count)]);
        var lengths = new int[pointers.Count];
        var isWhole = _pile.TryGetMany(pointers.ToArray(), _buffer, lengths, out var count);
        var first = pointers.Count - indexes.Length;
        Assert.Equal(first == 0, isWhole);
        var at = 0;
        for (var i = first; i < count; i++)
        {
            var entry = _live[indexes[i - first]];
            Assert.Equal(entry.Size, lengths[i]);
            CheckPayload(entry, _buffer.AsSpan(at));
            at += lengths[i];
        }
    }

    private void Delete(int index)
    {
        _deleted++;
        var pointer = _live[index].Pointer;
        Assert.True(_pile.Delete(pointer));
        AddStale(pointer);
        _live[index] = _live[^1];
        _live.RemoveAt(_live.Count - 1);
    }

    private void MakeRoom()
    {
        _full++;
        for (var i = _live.Count / 10; i >= 0 && _live.Count > 0; i--)
            Delete(_random.Next(_live.Count));
    }

    private void Compact()
    {
        _compactions++;
        _pile.Compact();
    }

    private void Purge()
    {
        _purges++;
        _live.ForEach(entry => AddStale(entry.Pointer));
        _live.Clear();
        _pile.Purge();
    }

    private void AddStale(PilePointer pointer)
    {
        if (_stale.Count < StaleMax)
            _stale.Add(pointer);
        else
            _stale[_random.Next(StaleMax)] = pointer;
    }

    private ReadOnlySpan<byte> NextPayload()
    {
        var payload = _payload.AsSpan(0, (int)Math.Pow(_sizeMax + 1, _random.NextDouble()) - 1);
        Piles.Fill(payload, (ulong)_operations);
        return payload;
    }

    private static void CheckPayload(Entry entry, ReadOnlySpan<byte> bytes)
    {
        if (!Piles.IsPayload(bytes[..entry.Size], entry.Seed))
            Assert.Fail($"{entry} has other bytes.");
    }

    /// <summary>What the model knows of an object.</summary>
    private readonly record struct Entry(PilePointer Pointer, ulong Seed, int Size);
}
