using System.Threading.Tasks.Sources;
using Cluster.Glue.Faults;
using Cluster.Glue.References;
using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Streams;

/// <summary>Reads a stream of the peer. Pieces come from the link's read loop and wait in a queue; the user's thread
/// cuts and rebuilds the items, and gives back credit for the items that it takes. One lock protects the queue and the
/// flags. The cutter belongs to the reader; while the reader waits, it belongs to the read loop.</summary>
internal sealed class StreamReference<T>(ReferenceTable table, ulong id, ContractSerializer serializer)
    : ImportedReference(table), IStreamReference, IValueTaskSource<bool>
{
    private readonly Lock _gate = new();
    private readonly Queue<ArrivedItems> _arrived = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ItemCutter _cutter = new(table.Settings.ItemBytesMax);
    private readonly int _creditBytes = table.Settings.StreamWindowBytes / 2;
    private readonly int _creditItems = Math.Max(1, table.Settings.StreamWindowItems / 2);
    private ManualResetValueTaskSourceCore<bool> _source = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _registration;
    private CancellationToken _token;
    private ReadOnlyMemory<byte>? _next;
    private Exception? _failure;
    private byte[]? _fault;
    private object? _reader;
    private long _owedBytes;
    private int _takenItems;
    private bool _takesOver;
    private bool _isStarted;
    private bool _isWaiting;
    private bool _isEnded;
    private bool _isReleased;
    private bool _isFinished;

    public ulong Id => id;

    public bool IsStarted => Volatile.Read(ref _isStarted);

    public T Current { get; private set; } = default!;

    private int WindowBytes => Table.Settings.StreamWindowBytes;

    private int WindowItems => Table.Settings.StreamWindowItems;

    public object NewRemote() => new RemoteStream<T>(this);

    /// <summary>Begins to read: the first credit starts the producer.</summary>
    /// <exception cref="InvalidOperationException">The stream was read already.</exception>
    /// <exception cref="GlueException">The reference was given back, or its owner has gone.</exception>
    public void Start(CancellationToken cancellationToken)
    {
        _takesOver = serializer.ReachesReferences<T>();
        lock (_gate)
        {
            if (_isStarted)
                throw new InvalidOperationException("A stream that came from another process can be read once.");
            if (_isReleased)
                throw GlueErrors.ReferenceGone(Table.Settings);
            _isStarted = true;
            _owedBytes = WindowBytes;
            if (!_isEnded)
                Table.CountRunning(1);
        }

        _token = cancellationToken;
        _registration = cancellationToken.UnsafeRegister(static stream => ((StreamReference<T>)stream!).Wake(), this);
        SendCredit(WindowItems, WindowBytes);
    }

    public void Arrived(ReadOnlySpan<byte> items)
    {
        var isReady = false;
        lock (_gate)
        {
            _owedBytes -= items.Length;
            if (_owedBytes < 0)
                throw new WireException($"stream {Id}: more came than StreamWindowBytes ({WindowBytes}) allows.");
            // Items without a reader are kept only if they may contain references: those are given back.
            if (_isEnded || (_isReleased && !_takesOver))
                return;
            _arrived.Enqueue(ArrivedItems.CopyOf(items));
            if (_isFinished)
                DiscardArrivedNeedsLock();
            if (!_isWaiting)
                return;
            isReady = TryCut();
            _isWaiting = !isReady;
            if (!isReady)
                CreditTaken();
        }

        if (isReady)
            _source.SetResult(true);
    }

    public void Ended(ReadOnlySpan<byte> fault)
    {
        Table.Forget(this);
        _fault = fault.Length == 0 ? null : fault.ToArray();
        End(null);
    }

    public void Gone(GlueException cause) => End(cause);

    public override void Release()
    {
        lock (_gate)
        {
            if (_isReleased || _isEnded)
                return;
            _isReleased = true;
        }

        if (IsStarted)
        {
            Table.Send(EnvelopeKind.Stop, Id, default);
            return;
        }

        Table.Forget(this);
        Table.SendRelease(Id, 1);
    }

    /// <summary>Gives the stream back and drops its items, because its reader was garbage collected.</summary>
    public void Abandon()
    {
        Release();
        Finish();
    }

    /// <summary>Makes the next item the current one. False: the stream has ended.</summary>
    /// <param name="reader">The enumerator. It is kept alive while it waits, because its finalizer drops the
    /// items.</param>
    public ValueTask<bool> MoveNextAsync(object reader)
    {
        bool hasItem;
        while (!TryAdvance(out hasItem))
        {
            lock (_gate)
            {
                if (_arrived.Count > 0 || _isEnded || _token.IsCancellationRequested)
                    continue;
                _isWaiting = true;
                _reader = reader;
                return new ValueTask<bool>(this, _source.Version);
            }
        }

        return new ValueTask<bool>(hasItem);
    }

    /// <summary>Ends the reading, and waits for a limited time for the producer's end, so that the caller gets its
    /// failure.</summary>
    public async ValueTask DisposeAsync()
    {
        await _registration.DisposeAsync().ConfigureAwait(false);
        Release();
        if (_isFinished)
            return;
        Finish();
        try
        {
            await _ended.Task.WaitAsync(GlueLimits.StreamStopTimeout, Table.Settings.Time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            return;
        }

        // A failure in making items that nobody reads is ignored.
        if (_fault is [(byte)StreamPhase.Closing, ..]
            && ReadFault(_fault) is var failure and not OperationCanceledException)
            throw failure;
    }

    bool IValueTaskSource<bool>.GetResult(short token)
    {
        var reader = _reader;
        _reader = null;
        _source.GetResult(token);
        _source.Reset();
        var isWoken = TryAdvance(out var hasItem);
        GC.KeepAlive(reader);
        return isWoken ? hasItem : throw new InvalidOperationException("A stream was woken without a reason.");
    }

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    /// <summary>Takes the next item, or the end. False: neither has arrived.</summary>
    private bool TryAdvance(out bool hasItem)
    {
        hasItem = false;
        if (_isFinished)
            return true;
        try
        {
            _token.ThrowIfCancellationRequested();
            if (_next is null && !TryCut())
            {
                // The arrived part of an item must be credited, to make room for the rest of it.
                CreditTaken();
                return TryEnd();
            }

            if (_failure is not null && _next is null)
                throw _failure;
            Current = Read(_next!.Value);
            _next = null;
            _takenItems++;
            CreditTaken();
            return hasItem = true;
        }
        catch
        {
            Release();
            Finish();
            throw;
        }
    }

    /// <summary>Cuts the next item from the arrived pieces. True also when that fails; then the failure is
    /// kept.</summary>
    private bool TryCut()
    {
        try
        {
            ReadOnlyMemory<byte> item;
            while (!_cutter.TryCut(out item))
            {
                ArrivedItems piece;
                lock (_gate)
                {
                    if (!_arrived.TryDequeue(out piece))
                        return false;
                }

                _cutter.Add(piece);
            }

            _next = item;
        }
        catch (WireException exception)
        {
            _failure = GlueErrors.StreamItemNotReadable(typeof(T), exception);
        }

        return true;
    }

    private bool TryEnd()
    {
        lock (_gate)
        {
            if (!_isEnded || _arrived.Count > 0)
                return false;
        }

        Finish();
        if (_failure is not null)
            throw _failure;
        if (_fault is { } fault)
            throw ReadFault(fault);
        if (_cutter.IsInside)
        {
            throw GlueErrors.StreamItemNotReadable(
                typeof(T), new WireException("item: the stream ended within it."));
        }

        return true;
    }

    private T Read(ReadOnlyMemory<byte> item)
    {
        try
        {
            return IncomingReferences.ArePresent(item.Span)
                ? IncomingReferences.Read(item.Span, Table, serializer).ReadMessage<T>(item)
                : serializer.Slim.Deserialize<T>(item.Span);
        }
        catch (Exception exception)
        {
            throw GlueErrors.StreamItemNotReadable(typeof(T), exception);
        }
    }

    private Exception ReadFault(byte[] fault) => FaultCodec.Read(
        fault.AsMemory(1), serializer, $"a stream of {typeof(T)}");

    private void CreditTaken()
    {
        var bytes = _cutter.TakenBytes;
        if (bytes < _creditBytes && _takenItems < _creditItems)
            return;
        lock (_gate)
            _owedBytes += bytes;
        SendCredit(_takenItems, bytes);
        _cutter.TakenBytes = 0;
        _takenItems = 0;
    }

    private void SendCredit(int items, int bytes)
    {
        Span<byte> body = stackalloc byte[2 * Varint.BytesMax];
        var length = Varint.Write(body, (ulong)items);
        length += Varint.Write(body[length..], (ulong)bytes);
        Table.Send(EnvelopeKind.Credit, Id, body[..length]);
    }

    private void End(GlueException? gone)
    {
        lock (_gate)
        {
            if (_isEnded)
                return;
            _failure ??= gone;
            _isEnded = true;
            if (_isStarted)
                Table.CountRunning(-1);
        }

        _ended.TrySetResult();
        Wake();
    }

    private void Wake()
    {
        lock (_gate)
        {
            if (!_isWaiting)
                return;
            _isWaiting = false;
        }

        _source.SetResult(true);
    }

    private void Finish()
    {
        Current = default!;
        lock (_gate)
        {
            _isFinished = true;
            DiscardArrivedNeedsLock();
        }
    }

    private void DiscardArrivedNeedsLock()
    {
        while (_takesOver && _failure is null && (_next is not null || TryCut()))
        {
            IncomingReferences.Discard(_next.GetValueOrDefault().Span, Table);
            _next = null;
        }

        _next = null;
        while (_arrived.TryDequeue(out var piece))
            piece.Return();
        if (!_takesOver)
            _cutter.Drop();
    }
}
