namespace Cluster.Pile.Tests;

/// <summary>Threads that put, delete, grow and purge objects of one pile and log when each lived, so that a scan can be
/// held against it. Each mutator's log is guarded by its lock; a purge takes all of them.</summary>
internal sealed class EnumerationModel
{
    private const int LivesPerMutator = 1500;

    private readonly LocalPile _pile;
    private readonly bool _purges;
    private readonly List<Mutator> _mutators;
    private readonly List<Thread> _threads;
    private readonly List<PilePointer> _stable = [];
    private readonly List<Exception> _failures = [];
    private long _clock;
    private int _purgesPending;
    private bool _stopped;

    public EnumerationModel(LocalPile pile, int mutators, bool purges)
    {
        _pile = pile;
        _purges = purges;
        _mutators = [.. Enumerable.Range(0, mutators).Select(number => new Mutator(this, number))];
        _threads = [.. _mutators.Select(mutator => new Thread(() => Guard(mutator.Run)))];
    }

    public long Deaths => _mutators.Sum(mutator => mutator.Deaths);

    /// <summary>Objects that are changed but never deleted.</summary>
    public void PutStable(int count)
    {
        for (var i = 0; i < count; i++)
            _stable.Add(_pile.Put(Piles.Payload((ulong)i, (int)(Piles.Mix((ulong)i) % 120))));
    }

    public void Start()
    {
        _mutators.ForEach(mutator => mutator.PutFirst());
        _threads.ForEach(thread => thread.Start());
    }

    public void Stop()
    {
        Volatile.Write(ref _stopped, true);
        _threads.ForEach(thread => Assert.True(thread.Join(TimeSpan.FromMinutes(2)), "A thread hangs."));
        var isOver = SpinWait.SpinUntil(() => Volatile.Read(ref _purgesPending) == 0, TimeSpan.FromMinutes(2));
        Assert.True(isOver, "A purge hangs.");
        Assert.Empty(_failures);
    }

    /// <summary>Scans once; gives how many objects were met, and how many of them are known to have lived
    /// through.</summary>
    public (int Met, int Proven) Scan()
    {
        if (_purges)
            PurgeSometimes();
        var met = new HashSet<PilePointer>(_stable.Count);
        var began = Tick();
        foreach (var found in _pile.Enumerate())
            Assert.True(met.Add(found.Pointer), $"{found.Pointer} was met twice.");
        var ended = Tick();
        Assert.All(_stable, pointer => Assert.True(met.Contains(pointer), $"{pointer} was not met."));
        var proven = _stable.Count;
        foreach (var mutator in _mutators)
        {
            foreach (var pointer in mutator.LivedThrough(began, ended))
            {
                Assert.True(met.Contains(pointer), $"{pointer} lived from before {began} to after {ended}, not met.");
                proven++;
            }
        }

        Assert.Empty(_failures);
        return (met.Count, proven);
    }

    private long Tick() => Interlocked.Increment(ref _clock);

    // From a thread of its own, so that the purge falls into the scan that follows.
    private void PurgeSometimes()
    {
        if (Tick() % 3 != 0)
            return;
        Interlocked.Increment(ref _purgesPending);
        ThreadPool.QueueUserWorkItem(_ =>
        {
            Guard(() => PurgeHolding(0));
            Interlocked.Decrement(ref _purgesPending);
        });
    }

    private void PurgeHolding(int index)
    {
        if (index < _mutators.Count)
        {
            lock (_mutators[index].Gate)
                PurgeHolding(index + 1);
            return;
        }

        var now = Tick();
        _mutators.ForEach(mutator => mutator.EndAllNeedsLock(now));
        _pile.Purge();
    }

    private void Guard(Action action)
    {
        try
        {
            action();
        }
        catch (Exception e)
        {
            lock (_failures)
                _failures.Add(e);
        }
    }

    private sealed class Mutator(EnumerationModel model, int number)
    {
        private readonly List<Life> _alive = [];
        private readonly List<Life> _dead = [];
        private readonly Random _random = new(number);
        private readonly byte[] _buffer = new byte[400_000];

        public Lock Gate { get; } = new();

        public long Deaths { get; private set; }

        public void PutFirst()
        {
            lock (Gate)
                PutNeedsLock(sizeMax: 16);
        }

        public void Run()
        {
            for (var step = 0; !Volatile.Read(ref model._stopped); step++)
            {
                // Waves, so that slabs empty and their blocks get another class.
                var grows = step / LivesPerMutator % 2 == 0;
                lock (Gate)
                    StepNeedsLock(grows, sizeMax: step / LivesPerMutator % 7 == 0 ? 100_000 : 1 << (4 + (step / 999 % 9)));
                UpdateStable();
            }
        }

        public List<PilePointer> LivedThrough(long began, long ended)
        {
            lock (Gate)
            {
                var found = _alive.Concat(_dead).Where(life => life.Born < began && life.Died > ended)
                    .Select(life => life.Pointer).ToList();
                _dead.Clear();
                return found;
            }
        }

        public void EndAllNeedsLock(long now)
        {
            _alive.ForEach(life => _dead.Add(life with { Died = now }));
            Deaths += _alive.Count;
            _alive.Clear();
        }

        private void StepNeedsLock(bool grows, int sizeMax)
        {
            var dice = _random.Next(10);
            if (_alive.Count > 1 && (dice < (grows ? 2 : 6) || _alive.Count >= LivesPerMutator))
                DeleteNeedsLock(_random.Next(1, _alive.Count));
            else if (_alive.Count > 0 && dice >= 8)
                UpdateNeedsLock(_alive[_random.Next(_alive.Count)].Pointer, sizeMax);
            else
                PutNeedsLock(sizeMax);
        }

        private void PutNeedsLock(int sizeMax)
        {
            try
            {
                var pointer = model._pile.Put(_buffer.AsSpan(0, _random.Next(sizeMax)));
                _alive.Add(new Life(pointer, model.Tick(), long.MaxValue));
            }
            catch (PileFullException)
            {
                // The pile is small on purpose.
            }
        }

        // The first one stays until a purge, however slow the scans are.
        private void DeleteNeedsLock(int index)
        {
            var life = _alive[index];
            _alive[index] = _alive[^1];
            _alive.RemoveAt(_alive.Count - 1);
            _dead.Add(life with { Died = model.Tick() });
            Deaths++;
            Assert.True(model._pile.Delete(life.Pointer));
        }

        private void UpdateStable()
        {
            if (model._stable.Count > 0)
                UpdateNeedsLock(model._stable[_random.Next(model._stable.Count)], sizeMax: 200);
        }

        private void UpdateNeedsLock(PilePointer pointer, int sizeMax)
        {
            try
            {
                var size = _random.Next(500) == 0 ? _random.Next(_buffer.Length) : _random.Next(sizeMax);
                model._pile.Put(pointer, _buffer.AsSpan(0, size));
            }
            catch (PileFullException)
            {
                // As above.
            }
        }

        private readonly record struct Life(PilePointer Pointer, long Born, long Died);
    }
}
