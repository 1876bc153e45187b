namespace Cluster.Glue.Scheduling;

/// <summary>Runs the work of one producer on the thread pool. Pieces start in the order in which the producer added
/// them, with far fewer pool items than pieces: one pool item runs piece after piece. While more pieces wait, another
/// item is in the pool's queue, so a piece that blocks does not hold up the others. One lock protects the queue; only
/// the producer uses the collected pieces.</summary>
internal sealed class PoolRun : IThreadPoolWorkItem
{
    // At most this many pieces are collected, so that other threads can begin before all have arrived.
    private const int CollectedMax = 64;

    // After this number of pieces, other users of the pool get their turn, above all the drain that sends the answers.
    private const int PiecesMax = 128;

    private readonly Lock _gate = new();
    private readonly Queue<IThreadPoolWorkItem> _pieces = new();
    private readonly IThreadPoolWorkItem[] _collected = new IThreadPoolWorkItem[CollectedMax];
    private int _collectedCount;
    private bool _isRequested;

    /// <summary>Whether no started piece waits for a thread.</summary>
    public bool IsEmpty => _pieces.Count == 0;

    /// <summary>Adds a piece of work. It waits for <see cref="Start"/>, unless enough pieces are collected
    /// before.</summary>
    public void Add(IThreadPoolWorkItem piece)
    {
        _collected[_collectedCount++] = piece;
        if (_collectedCount == CollectedMax)
            Start();
    }

    /// <summary>Starts the collected pieces.</summary>
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
            // A piece must not leave values in the thread's execution context for the next piece.
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
