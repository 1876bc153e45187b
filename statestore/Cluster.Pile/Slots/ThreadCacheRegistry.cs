namespace Cluster.Pile.Slots;

/// <summary>The caches of all threads that ever changed one pile. Finds the cache of the caller, waits for running
/// operations, and locks all threads out when the pile needs exclusive access. Its lock guards the list and is never
/// taken inside an operation.</summary>
internal sealed class ThreadCacheRegistry
{
    private static long _pileIdLast;

    [ThreadStatic]
    private static ThreadCache? _current;

    [ThreadStatic]
    private static List<ThreadCache>? _others;

    private readonly long _pileId = Interlocked.Increment(ref _pileIdLast);
    private readonly Lock _gate = new();
    private readonly List<ThreadCache> _caches = [];
    private bool _isOver;
    private bool _closed;

    /// <summary>Whether all threads are locked out for good.</summary>
    public bool IsClosed => Volatile.Read(ref _closed);

    /// <summary>Begins an operation of the calling thread. Waits while another thread has exclusive access; throws when
    /// the pile is closed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ThreadCache Enter()
    {
        var cache = _current;
        if (cache is null || cache.PileId != _pileId)
            cache = FindCurrent();
        if (!cache.TryEnter() && !TryEnterWaiting(cache))
            PileErrors.Disposed();
        return cache;
    }

    /// <summary>Begins an operation of the calling thread that ends when the result is disposed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public PileOperation Begin() => new(Enter());

    /// <summary>Like <see cref="Enter"/>, for a thread that was inside before. False: the pile is closed.</summary>
    public bool TryEnter([NotNullWhen(true)] out ThreadCache? cache)
    {
        cache = _current;
        if (cache is null || cache.PileId != _pileId)
            cache = _others?.Find(other => other.PileId == _pileId);
        return cache is not null && (cache.TryEnter() || TryEnterWaiting(cache));
    }

    /// <summary>Waits until every operation that runs now has ended. Not called inside one.</summary>
    public void WaitForOperations()
    {
        lock (_gate)
            WaitNeedsLock();
    }

    /// <summary>Whether the calling thread is inside an operation.</summary>
    public bool IsInside => (FindCurrent().Sequence & 1) != 0;

    /// <summary>Locks all threads out, waits for the running operations, and then acts on all caches.</summary>
    public void RunAlone(Action<IReadOnlyList<ThreadCache>> action)
    {
        lock (_gate)
        {
            foreach (var cache in _caches)
                cache.SetLockedOut(true);
            WaitNeedsLock();
            try
            {
                action(_caches);
            }
            finally
            {
                foreach (var cache in _caches)
                    cache.SetLockedOut(_closed);
            }
        }
    }

    /// <summary>Locks the threads out one after the other and acts on the cache of each.</summary>
    public void RunWithEach(Action<ThreadCache> action)
    {
        lock (_gate)
        {
            foreach (var cache in _caches)
            {
                cache.SetLockedOut(true);
                try
                {
                    Interlocked.MemoryBarrierProcessWide();
                    WaitFor(cache);
                    action(cache);
                }
                finally
                {
                    cache.SetLockedOut(_closed);
                }
            }
        }
    }

    /// <summary>Called when the disposal of the pile begins: calls that ask <see cref="ThrowIfOver"/> throw from now
    /// on.</summary>
    public void End() => Volatile.Write(ref _isOver, true);

    /// <summary>Throws when the disposal of the pile has begun. For reads, which begin no operation.</summary>
    public void ThrowIfOver()
    {
        if (Volatile.Read(ref _isOver))
            PileErrors.Disposed();
    }

    /// <summary>Locks all threads out for good; their operations throw from now on. Returns the views that are still
    /// open. The action runs on the caches while no thread is inside.</summary>
    public List<OpenView> Close(Action<IReadOnlyList<ThreadCache>>? atRest = null)
    {
        lock (_gate)
            Volatile.Write(ref _closed, true);
        var leftOpen = new List<OpenView>();
        RunAlone(caches =>
        {
            atRest?.Invoke(caches);
            foreach (var cache in caches)
            {
                leftOpen.AddRange(cache.Views.All);
                cache.Abandon();
            }
        });
        return leftOpen;
    }

    /// <summary>Acts on the caches whose threads have ended, before other threads may adopt them.</summary>
    public void ForDeadThreads(Action<ThreadCache> action)
    {
        lock (_gate)
        {
            if (!_closed)
                _caches.FindAll(cache => !cache.IsThreadAlive).ForEach(action);
        }
    }

    /// <summary>Adds up a counter over all threads; exact when no operation runs.</summary>
    public long Sum(Func<ThreadCache, long> counter)
    {
        lock (_gate)
            return _caches.Sum(counter);
    }

    private void WaitNeedsLock()
    {
        Interlocked.MemoryBarrierProcessWide();
        foreach (var cache in _caches)
            WaitFor(cache);
    }

    private static void WaitFor(ThreadCache cache)
    {
        var sequence = cache.Sequence;
        var spin = default(SpinWait);
        while ((sequence & 1) != 0 && cache.Sequence == sequence)
            spin.SpinOnce(sleep1Threshold: -1);
    }

    private bool TryEnterWaiting(ThreadCache cache)
    {
        var spin = default(SpinWait);
        do
        {
            if (IsClosed)
                return false;
            spin.SpinOnce(sleep1Threshold: -1);
        }
        while (!cache.TryEnter());
        return true;
    }

    private ThreadCache FindCurrent()
    {
        var all = _others ??= [];
        var cache = all.Find(other => other.PileId == _pileId);
        if (cache is null)
        {
            // Here a thread forgets the caches of closed piles.
            all.RemoveAll(other => other.IsAbandoned);
            cache = Register();
            all.Add(cache);
        }

        return _current = cache;
    }

    private ThreadCache Register()
    {
        lock (_gate)
        {
            if (_closed)
                PileErrors.Disposed();
            // The views of a dead thread must not look like views of the thread that adopts its cache.
            var cache = _caches.Find(other => !other.IsThreadAlive && other.Views.Count == 0);
            if (cache is not null)
            {
                cache.Adopt();
                return cache;
            }

            cache = new ThreadCache(_pileId, _caches.Count);
            _caches.Add(cache);
            return cache;
        }
    }
}
