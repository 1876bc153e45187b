using Cluster.Contracts;
using Cluster.Glue.Calls;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// One open link to one peer after its handshake: batches out, batches in, calls made and calls served over the same
/// stream. Owned by a channel (the side that opened it) or by the server endpoint. Its parts protect themselves;
/// closing happens once.
/// </summary>
internal sealed class Link : ICallCanceller, IBeating, IAsyncDisposable
{
    private static readonly TimeSpan DrainPatience = TimeSpan.FromSeconds(1);

    private readonly IMessageStream _stream;
    private readonly LinkSettings _settings;
    private readonly LinkWriter _writer;
    private readonly PendingCalls _pending;
    private readonly OutgoingMethods _methods;
    private readonly LinkServing? _serving;
    private readonly LinkClock _clock;
    private readonly LinkPulse _pulse;
    private readonly LinkUse? _use;
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private GlueException? _closeCause;
    private bool _isLeaving;
    private int _hasLeft;

    public Link(IMessageStream stream, LinkSettings settings, Serving.ServerRuntime? server)
    {
        _stream = stream;
        _settings = settings;
        _writer = new LinkWriter(
            stream,
            settings.SendQueueBytesMax,
            exception => Close(GlueErrorCode.LinkLost, exception.Message, exception));
        _pending = new PendingCalls(settings.CallsInFlightMax);
        _methods = new OutgoingMethods(_writer);
        _serving = server is null ? null : new LinkServing(server, settings, _writer);
        _clock = new LinkClock(this, settings.Time, settings.HeartbeatInterval);
        _pulse = new LinkPulse(settings.Time, settings.HeartbeatInterval);
        // Whoever opened the link gives it up.
        _use = server is null ? new LinkUse(settings.Time, GlueLimits.LinkIdleMax) : null;
        stream.ReceiveBytesMax = settings.FrameBytesMax;
    }

    /// <summary>
    /// False once the link is closed, idle for too long, or the peer has announced its end: further calls need another
    /// link.
    /// </summary>
    public bool IsOpen => Volatile.Read(ref _closeCause) is null && !Volatile.Read(ref _isLeaving);

    /// <summary>Completes when nothing of the link runs any more.</summary>
    public Task Ended => _ended.Task;

    public string PeerName => _settings.PeerName;

    public bool IsBusy => _pending.Count > 0 || _serving is { HasCalls: true };

    /// <summary>Why the link was closed, for the peer's trailers and for the log; null after an end in order.</summary>
    public GlueException? CloseCause => Volatile.Read(ref _closeCause);

    /// <summary>Starts a call without waiting; the call is finished here if it can never be sent.</summary>
    public StartResult TryStart(OutgoingCall call)
    {
        if (!IsOpen)
            return StartResult.NotConnected;
        if (call.Arguments.Length > _settings.FrameBytesMax - GlueWire.EnvelopeHeaderBytesMax)
        {
            call.FinishWithFailure(
                GlueErrors.ArgumentsTooLarge(call.Method.Contract, call.Arguments.Length, _settings.FrameBytesMax));
            return StartResult.Started;
        }

        _use?.NoteCall();
        int handle = _methods.HandleOf(call.Method);
        if (_methods.RefusalOf(handle) is { } refusal)
        {
            call.FinishWithFailure(refusal);
            return StartResult.Started;
        }

        return call.Method.Contract.IsOneWay ? StartOneWay(call, handle) : StartCall(call, handle);
    }

    /// <exception cref="TimeoutException">There was no room in time.</exception>
    public Task WaitForRoomAsync(StartResult full, TimeSpan timeout, CancellationToken cancellationToken)
        => full == StartResult.CallsFull
            ? _pending.WaitForRoomAsync(timeout, _settings.Time, cancellationToken)
            : _writer.WaitForRoomAsync().WaitAsync(timeout, _settings.Time, cancellationToken);

    public bool TryCancel(ulong callId, OutgoingCall call)
    {
        if (_pending.TryRemove(callId, call) is null)
            return false;
        SendCancel(callId);
        return true;
    }

    /// <summary>Reads and handles messages until the stream ends; then everything under way here fails.</summary>
    public async Task RunAsync()
    {
        _clock.Start();
        try
        {
            while (await _stream.ReceiveAsync() is { } payload)
            {
                _pulse.NoteReceived();
                Handle(payload.Span);
                LeaveWhenEmpty();
                if (_serving is { NeedsRoom: true })
                    await _serving.WaitForRoomAsync();
            }

            await EndInOrderAsync();
        }
        catch (WireException exception)
        {
            // Not aborted: the endpoint still tells the peer the reason in its trailers.
            TryFinish(GlueErrorCode.ProtocolViolation, exception.Message, exception);
        }
        catch (Exception exception)
        {
            Close(GlueErrorCode.LinkLost, exception.Message, exception);
        }
        finally
        {
            await _clock.DisposeAsync();
            _serving?.CancelAll();
            await _stream.DisposeAsync();
            _ended.TrySetResult();
        }
    }

    /// <summary>Tells the peer that no new calls are taken, and ends the link when the running ones are done.</summary>
    public void StartDrain()
    {
        if (_serving is null || !_serving.TryBeginDrain())
            return;
        _writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Drain }, default);
        _ = FinishDrainAsync(_serving);
    }

    /// <summary>Closes at once. The first cause counts; calls under way fail with it.</summary>
    public void Close(GlueErrorCode code, string reason, Exception? cause = null)
    {
        if (TryFinish(code, reason, cause))
            _stream.Abort();
    }

    /// <summary>Closes and waits until nothing of the link runs any more.</summary>
    public async ValueTask DisposeAsync()
    {
        Close(GlueErrorCode.ClientDisposed, "the client was disposed");
        await Ended;
    }

    /// <summary>
    /// One beat of the link's clock: fails calls whose time is over, cancels served ones, and listens for the peer.
    /// </summary>
    public void Beat(long now)
    {
        var expired = new List<(ulong CallId, OutgoingCall Call)>();
        _pending.RemoveExpired(now, expired);
        foreach ((ulong callId, OutgoingCall call) in expired)
        {
            SendCancel(callId);
            call.FinishWithFailure(GlueErrors.DeadlineAwaitingReply(call.Method.Contract, _settings.PeerName));
        }

        if (_use?.IsOver(now, IsBusy) == true)
            Volatile.Write(ref _isLeaving, true);
        LeaveWhenEmpty();
        _serving?.CancelExpired(now);
        if (_pulse.ReasonToClose(now) is { } reason)
            Close(GlueErrorCode.HeartbeatLost, reason);
        else if (Volatile.Read(ref _hasLeft) == 0 && _pulse.ShouldPing(now))
            _writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Ping }, default);
    }

    private StartResult StartCall(OutgoingCall call, int handle)
    {
        StartResult added = _pending.TryAdd(call, out ulong callId);
        if (added != StartResult.Started)
            return added;
        call.SetCarrier(this, callId);
        var header = new EnvelopeHeader
        {
            Kind = EnvelopeKind.Call,
            CallId = callId,
            Method = (ulong)handle,
            RemainingMilliseconds = CallDeadline.ToWire(call.Remaining),
        };
        StartResult appended = _writer.TryAppendCall(header, call.Arguments);
        // Whoever took the call out of the table meanwhile, a closing link, has finished it.
        if (appended != StartResult.Started && _pending.TryRemove(callId, call) is not null)
            return appended;
        _clock.Wake();
        call.CheckCancelled();
        return StartResult.Started;
    }

    private StartResult StartOneWay(OutgoingCall call, int handle)
    {
        var header = new EnvelopeHeader
        {
            Kind = EnvelopeKind.OneWay,
            Method = (ulong)handle,
            RemainingMilliseconds = CallDeadline.ToWire(call.Remaining),
        };
        StartResult appended = _writer.TryAppendCall(header, call.Arguments);
        if (appended == StartResult.Started)
            call.FinishWithoutAnswer();
        return appended;
    }

    private void SendCancel(ulong callId)
        => _writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Cancel, CallId = callId }, default);

    private void Handle(ReadOnlySpan<byte> payload)
    {
        WireReader reader = Envelope.OpenBatch(payload);
        while (!reader.AtEnd)
        {
            Envelope envelope = Envelope.Read(ref reader);
            switch (envelope.Kind)
            {
                case EnvelopeKind.Reply or EnvelopeKind.Fault:
                    // An unknown id belongs to a caller that gave up: the answer came too late.
                    _pending.TryRemove(envelope.CallId)?.FinishWithAnswer(envelope.Kind, envelope.Body);
                    break;
                case EnvelopeKind.Ping:
                    _writer.Append(
                        new EnvelopeHeader { Kind = EnvelopeKind.Pong, CallId = envelope.CallId }, default);
                    break;
                case EnvelopeKind.Pong:
                    break;
                case EnvelopeKind.Bound:
                    _methods.Learn(BindVerdicts.Read(envelope.Body));
                    break;
                case EnvelopeKind.Drain:
                    Volatile.Write(ref _isLeaving, true);
                    break;
                default:
                    if (_serving is null || !_serving.TryHandle(envelope))
                        throw new WireException($"envelope kind: {envelope.Kind} is not expected here.");
                    _clock.Wake();
                    break;
            }
        }
    }

    /// <summary>The peer has ended its half: answer what still runs, then end ours.</summary>
    private async Task EndInOrderAsync()
    {
        if (_serving is not null)
        {
            // A peer that has ended its half cannot answer pings, so its silence bounds this wait.
            await Task.WhenAny(_serving.WaitUntilEmptyAsync(), _closed.Task);
            await _writer.WaitUntilIdleAsync();
        }

        TryFinish(GlueErrorCode.LinkLost, "the peer ended the stream", null);
    }

    private bool TryFinish(GlueErrorCode code, string reason, Exception? cause)
    {
        GlueException failure = GlueErrors.LinkLost(_settings.PeerName, code, reason, cause);
        if (Interlocked.CompareExchange(ref _closeCause, failure, null) is not null)
            return false;
        _writer.Close();
        _closed.TrySetResult();
        foreach (OutgoingCall call in _pending.Close())
            call.FinishWithFailure(failure);
        return true;
    }

    private async Task FinishDrainAsync(LinkServing serving)
    {
        await serving.WaitUntilEmptyAsync();
        await _writer.WaitUntilIdleAsync();
        try
        {
            // A peer that knows Drain ends its half when it has all its answers, so that none of its calls is cut.
            await Ended.WaitAsync(DrainPatience, _settings.Time);
        }
        catch (TimeoutException)
        {
            await _stream.CompleteAsync();
        }
    }

    /// <summary>
    /// The peer drains, or nobody calls it any more, and nobody here waits for it: end our half, which lets it go.
    /// </summary>
    private void LeaveWhenEmpty()
    {
        if (!Volatile.Read(ref _isLeaving) || !_pending.TryCloseIfEmpty())
            return;
        if (Interlocked.Exchange(ref _hasLeft, 1) == 0)
            _ = LeaveAsync();
    }

    private async Task LeaveAsync()
    {
        await _writer.WaitUntilIdleAsync();
        await _stream.CompleteAsync();
    }
}
