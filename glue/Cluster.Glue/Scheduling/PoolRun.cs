namespace Cluster.Glue.Scheduling;

/// <summary>Runs what one producer hands over on the thread pool, started in that order, with far fewer pool items than
/// pieces of work: a pool item goes on with the next piece, and while there is one, another item waits in the pool's
/// queue, so a piece that blocks holds up nobody. The queue is protected by one lock; the collected pieces are the
/// producer's.</summary>
internal sealed class PoolRun : IThreadPoolWorkItem
{
    // As many pieces are collected at most, so that other threads can begin before all have come.
    private const int CollectedMax = 64;

    // Other users of the pool get their turn after this number of pieces, above all the drain that sends the answers.
    private const int PiecesMax = 128;

    private readonly Lock _gate = new();
    private readonly Queue<IThreadPoolWorkItem> _pieces = new();
    private readonly IThreadPoolWorkItem[] _collected = new IThreadPoolWorkItem[CollectedMax];
    private int _collectedCount;
    private bool _isRequested;

    /// <summary>Nothing waits to be started.</summary>
    public bool IsEmpty => _pieces.Count == 0;

    /// <summary>Takes a piece of work, which starts after <see cref="Start"/> at the latest.</summary>
    public void Add(IThreadPoolWorkItem piece)
    {
        _collected[_collectedCount++] = piece;
        if (_collectedCount == CollectedMax)
            Start();
    }

    /// <summary>Starts what was added.</summary>
    public void Start()
    {
        if (_collectedCount == 0)
            return;
        lock (_gate)
        {
            for (var i = 0; i < _collectedCount; i++)
                _pieces.Enqueue(_collected[i]);
            _collectedCount = 0;
            if (_isRequested)
                return;
            _isRequested = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
    }

    public void Execute()
    {
        var context = ExecutionContext.Capture() ?? throw new UnreachableException("The flow is on.");
        var piece = First();
        for (var count = 1; piece is not null; count++)
        {
            piece.Execute();
            // What a piece leaves in its thread's context stays with it, as if it had a pool item of its own.
            ExecutionContext.Restore(context);
            SynchronizationContext.SetSynchronizationContext(null);
            piece = Next(count < PiecesMax);
        }
    }

    private IThreadPoolWorkItem? First()
    {
        lock (_gate)
            _isRequested = false;

        return Next(mayTake: true);
    }

    private IThreadPoolWorkItem? Next(bool mayTake)
    {
        IThreadPoolWorkItem? piece = null;
        lock (_gate)
        {
            if (mayTake)
                _pieces.TryDequeue(out piece);
            if (_isRequested || _pieces.Count == 0)
                return piece;
            _isRequested = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        return piece;
    }
}
