using Cluster.Glue.Client;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Settings;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>One numbered sequence of batches in each direction between the ends of a link. When its stream is cut,
/// another stream carries it on: no batch is lost or handled twice. Owned by its link. One stream carries it at a time;
/// everything else protects itself.</summary>
internal sealed class Substream
{
    private readonly ISubstreamOwner _owner;
    private readonly LinkSettings _settings;
    private readonly LinkPulse _pulse;
    private TaskCompletionSource _carried = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource _aborted = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource _completed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private IMessageStream? _stream;
    private Task _changing = Task.CompletedTask;
    private Task<Exception?> _carrying = Task.FromResult<Exception?>(null);
    private ulong _receivedCount;
    private long _lostAt;
    private Exception? _loss;
    private volatile bool _isClosed;
    private ReadOnlyMemory<byte> _batchMemory;

    public Substream(SubstreamRole role, LinkSettings settings, ISubstreamOwner owner)
    {
        Role = role;
        _settings = settings;
        _owner = owner;
        _pulse = new LinkPulse(settings.Time, settings.HeartbeatInterval);
        _lostAt = settings.Time.GetTimestamp();
        Writer = new SubstreamWriter(settings.MaxSendQueueBytes, settings.IsResumable, settings.Time, Abort);
        Transfers = new IncomingTransfers(settings, owner.IncomingRoom);
    }

    public SubstreamRole Role { get; }

    public SubstreamWriter Writer { get; }

    /// <summary>When the last batch arrived, as a timestamp.</summary>
    public long ReceivedAt => _pulse.LastReceived;

    /// <summary>When the remaining times in the batch that is being handled were correct, as a timestamp: before the
    /// batch waited at its sender.</summary>
    public long SentAt { get; private set; }

    /// <summary>The batch that is being handled, if its memory may be read afterwards. Used by the read loop
    /// only.</summary>
    public IReceivedMessage? Batch { get; private set; }

    /// <summary>The incomplete large envelopes. Used by the substream's read loop only.</summary>
    public IncomingTransfers Transfers { get; }

    /// <summary>The calls and answers that arrive on the substream, to run on the pool. Only the read loop adds to
    /// it.</summary>
    public PoolRun Work { get; } = new();

    public bool IsCarried => Volatile.Read(ref _stream) is not null;

    /// <summary>Why the last stream ended although the link goes on.</summary>
    public Exception? Loss => Volatile.Read(ref _loss);

    /// <summary>Completes when a stream carries the substream, or the substream is closed.</summary>
    public Task Carried => Volatile.Read(ref _carried).Task;

    /// <summary>Completes when no stream carries the substream any more.</summary>
    public Task Ended => Volatile.Read(ref _carrying);

    /// <summary>The memory of a part of the batch that is being handled.</summary>
    public ReadOnlyMemory<byte> MemoryOf(ReadOnlySpan<byte> part) =>
        _batchMemory.Span.Overlaps(part, out var offset) ? _batchMemory.Slice(offset, part.Length) : default;

    /// <summary>Begins to carry the substream over a stream. It first aborts the stream before; then the two ends
    /// exchange their counts of received batches.</summary>
    /// <param name="stream">The caller disposes it when the returned task has ended.</param>
    /// <param name="join">Gets the number of batches received here and returns the number received by the peer.</param>
    /// <returns>The task of carrying, which never fails. Its result is why the stream ended, or null when the peer
    /// ended the stream in order.</returns>
    public async Task<Task<Exception?>> CarryAsync(IMessageStream stream, Func<ulong, ValueTask<ulong>> join)
    {
        // Streams that arrive at the same time take turns.
        var turn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await Interlocked.Exchange(ref _changing, turn.Task).ConfigureAwait(false);
        try
        {
            Abort();
            await _carrying.ConfigureAwait(false);
            var peerReceivedCount = await join(_receivedCount).ConfigureAwait(false);
            _aborted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _completed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _loss = null;
            _pulse.NoteReceived();
            stream.ReceiveBytesMax = GlueWire.PayloadBytesMax;
            Volatile.Write(ref _stream, stream);
            _carrying = Detached.Run(
                (substream: this, stream, peerReceivedCount),
                static state => state.substream.RunAsync(state.stream, state.peerReceivedCount));
            return _carrying;
        }
        finally
        {
            turn.SetResult();
        }
    }

    /// <summary>Aborts the stream that carries the substream, if there is one.</summary>
    public void Abort()
    {
        if (Volatile.Read(ref _stream) is not { } stream)
            return;
        stream.Abort();
        _aborted.TrySetResult();
    }

    /// <summary>Stops sending. All tasks that wait for the substream complete.</summary>
    public void Close()
    {
        _isClosed = true;
        Writer.Close();
        Volatile.Read(ref _carried).TrySetResult();
        _aborted.TrySetResult();
    }

    /// <summary>Ends this side's half of the stream in order after all batches are written.</summary>
    public async Task CompleteAsync()
    {
        // Wait until the writer has the stream.
        var carried = Carried;
        if (IsCarried)
            await carried.ConfigureAwait(false);
        await Writer.WaitUntilIdleAsync().ConfigureAwait(false);
        if (Volatile.Read(ref _stream) is not { } stream)
            return;
        // After the end, a Ping or a confirmation would fail and abort the stream, with the bytes that have not
        // arrived.
        await Writer.DetachAsync().ConfigureAwait(false);
        // Answers that are still missing are not waited for: they cannot be written any more.
        _completed.TrySetResult();
        await stream.CompleteAsync().ConfigureAwait(false);
    }

    /// <summary>Completes when no stream carries the substream, or is about to carry it.</summary>
    public async Task WaitUntilEndedAsync()
    {
        await Volatile.Read(ref _changing).ConfigureAwait(false);
        await Ended.ConfigureAwait(false);
    }

    /// <summary>The time since the last stream ended; zero while a stream carries the substream.</summary>
    public TimeSpan LostFor(long now) =>
        IsCarried ? TimeSpan.Zero : _settings.Time.GetElapsedTime(Volatile.Read(ref _lostAt), now);

    /// <summary>One beat of the link's clock: checks whether the peer is silent, and confirms received
    /// batches.</summary>
    public void Beat(long now)
    {
        if (!IsCarried)
            return;
        Writer.Beat();
        if (_pulse.ReasonToClose(now) is { } reason && !_owner.IsPeerGone)
        {
            Volatile.Write(ref _loss, new TimeoutException(reason));
            Abort();
        }
        else if (_pulse.ShouldPing(now))
        {
            Writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Ping }, default);
        }
    }

    private async Task<Exception?> RunAsync(IMessageStream stream, ulong peerReceivedCount)
    {
        // Never run inline: other streams wait for their turn.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            Writer.Attach(stream, peerReceivedCount);
            // Only after Attach: tasks that wait for the substream use its writer at once.
            _carried.TrySetResult();
            while (await stream.ReceiveAsync().ConfigureAwait(false) is { } payload)
            {
                _pulse.NoteReceived();
                (Batch, _batchMemory) = (stream.Received, payload);
                HandleBatch(payload.Span);
                (Batch, _batchMemory) = (null, default);
                var room = _owner.WaitForRoomAsync(this);
                if (!room.IsCompleted)
                    await Task.WhenAny(room.AsTask(), _aborted.Task).ConfigureAwait(false);
            }

            await Task.WhenAny(_owner.FinishAsync(this), _aborted.Task, _completed.Task).ConfigureAwait(false);
            return null;
        }
        catch (WireException violation)
        {
            // The stream is not aborted: the endpoint still tells the peer the reason in its trailers.
            return violation;
        }
        catch (Exception exception)
        {
            stream.Abort();
            return Interlocked.CompareExchange(ref _loss, exception, null) ?? exception;
        }
        finally
        {
            await Writer.DetachAsync().ConfigureAwait(false);
            Volatile.Write(ref _lostAt, _settings.Time.GetTimestamp());
            Volatile.Write(ref _stream, null);
            var carried = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            Interlocked.Exchange(ref _carried, carried).TrySetResult();
            if (_isClosed)
                _carried.TrySetResult();
        }
    }

    private void HandleBatch(ReadOnlySpan<byte> payload)
    {
        var reader = BatchHead.Open(payload, out var head);
        if (_settings.IsResumable)
            Writer.Confirm(head.ReceivedCount);
        if (reader.AtEnd)
            return;
        // A batch that arrived before is not handled twice. A missing batch is sent again over another stream.
        if (head.Number != 0 && head.Number <= _receivedCount)
            return;
        if (head.Number > _receivedCount + 1)
            throw new IOException($"batch {_receivedCount + 1} is missing: {head.Number} came instead.");
        SentAt = head.AgeMilliseconds == 0
            ? ReceivedAt
            : CallDeadline.After(_settings.Time, ReceivedAt, -TimeSpan.FromMilliseconds(head.AgeMilliseconds));
        try
        {
            _owner.Handle(this, reader.Rest);
        }
        finally
        {
            // Also when a later envelope of the batch breaks the protocol: the earlier calls are already admitted or
            // answered.
            Work.Start();
            Writer.SendHeld();
        }

        Writer.NoteReceived(++_receivedCount);
    }

    private void Abort(IMessageStream stream, Exception exception)
    {
        Interlocked.CompareExchange(ref _loss, exception, null);
        stream.Abort();
        _aborted.TrySetResult();
    }
}
