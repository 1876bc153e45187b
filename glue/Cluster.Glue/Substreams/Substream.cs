using Cluster.Glue.Client;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Settings;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Substreams;

/// <summary>One numbered sequence of batches each way between the ends of a link, whatever stream carries it just now:
/// a stream that was cut is followed by another one, and nothing is lost or handled twice. Owned by its link. One
/// stream carries it at a time; everything else protects itself.</summary>
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

    /// <summary>When the batch came that is being handled, as a timestamp.</summary>
    public long ReceivedAt => _pulse.LastReceived;

    /// <summary>When the remaining times in the batch were true that is being handled, as a timestamp: before it waited
    /// at its sender.</summary>
    public long SentAt { get; private set; }

    /// <summary>What comes in chunks; for the substream's read loop only.</summary>
    public IncomingTransfers Transfers { get; }

    /// <summary>What arrives on the substream for the pool to run. Added to by its read loop only.</summary>
    public PoolRun Work { get; } = new();

    public bool IsCarried => Volatile.Read(ref _stream) is not null;

    /// <summary>Why the last stream ended before the link did.</summary>
    public Exception? Loss => Volatile.Read(ref _loss);

    /// <summary>Completes when a stream carries the substream, or the substream is closed.</summary>
    public Task Carried => Volatile.Read(ref _carried).Task;

    /// <summary>Completes when no stream carries the substream any more.</summary>
    public Task Ended => Volatile.Read(ref _carrying);

    /// <summary>Begins to carry the substream over a stream. One before it is given up first; then the two ends tell
    /// each other what they have received.</summary>
    /// <param name="stream">The caller's to dispose when the task has ended.</param>
    /// <param name="join">Gets what was received here and gives what was received there.</param>
    /// <returns>The task of carrying, which never fails: why it ended, or null when the peer ended the stream in
    /// order.</returns>
    public async Task<Task<Exception?>> CarryAsync(IMessageStream stream, Func<ulong, ValueTask<ulong>> join)
    {
        // Streams that come at once take their turns.
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

    /// <summary>Ends the stream that carries the substream, if there is one.</summary>
    public void Abort()
    {
        if (Volatile.Read(ref _stream) is not { } stream)
            return;
        stream.Abort();
        _aborted.TrySetResult();
    }

    /// <summary>Nothing is sent any more. All who wait for the substream go on.</summary>
    public void Close()
    {
        _isClosed = true;
        Writer.Close();
        Volatile.Read(ref _carried).TrySetResult();
        _aborted.TrySetResult();
    }

    /// <summary>Ends this side's half of the stream in order, when all is written.</summary>
    public async Task CompleteAsync()
    {
        // Not before the writer has it.
        var carried = Carried;
        if (IsCarried)
            await carried.ConfigureAwait(false);
        await Writer.WaitUntilIdleAsync().ConfigureAwait(false);
        if (Volatile.Read(ref _stream) is not { } stream)
            return;
        // A sign of life, or that something was received, would fail behind the end, and abort what has not arrived.
        await Writer.DetachAsync().ConfigureAwait(false);
        // Whatever is still to be said is not waited for: it cannot be written any more.
        _completed.TrySetResult();
        await stream.CompleteAsync().ConfigureAwait(false);
    }

    /// <summary>Completes when the stream that carries the substream, or is about to, does not any more.</summary>
    public async Task WaitUntilEndedAsync()
    {
        await Volatile.Read(ref _changing).ConfigureAwait(false);
        await Ended.ConfigureAwait(false);
    }

    /// <summary>For how long no stream has carried the substream.</summary>
    public TimeSpan LostFor(long now) =>
        IsCarried ? TimeSpan.Zero : _settings.Time.GetElapsedTime(Volatile.Read(ref _lostAt), now);

    /// <summary>One beat of the link's clock: listens for the peer and tells it what was received.</summary>
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
        // Never inline: others wait for their turn.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            Writer.Attach(stream, peerReceivedCount);
            // Not before: those who wait for the substream use its writer at once.
            _carried.TrySetResult();
            while (await stream.ReceiveAsync().ConfigureAwait(false) is { } payload)
            {
                _pulse.NoteReceived();
                HandleBatch(payload.Span);
                var room = _owner.WaitForRoomAsync(this);
                if (!room.IsCompleted)
                    await Task.WhenAny(room.AsTask(), _aborted.Task).ConfigureAwait(false);
            }

            await Task.WhenAny(_owner.FinishAsync(this), _aborted.Task, _completed.Task).ConfigureAwait(false);
            return null;
        }
        catch (WireException violation)
        {
            // Not aborted: the endpoint still tells the peer the reason in its trailers.
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
        // A batch that came before is not handled twice; one that is missing comes again over another stream.
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
            // Also of a batch that breaks the rules further on: these have been admitted or answered already.
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
