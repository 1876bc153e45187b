using Cluster.Contracts;
using Cluster.Glue.Calls;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// What two processes share from the handshake to its end, whatever streams carry it meanwhile: the calls that one
/// makes and the other serves, on lanes that survive the loss of a stream. Owned by a channel (the side that opened it)
/// or by the server. Its parts protect themselves; ending happens once.
/// </summary>
internal sealed class Link : ICallCanceller, IBeating, ILaneOwner, IAsyncDisposable
{
    private static readonly TimeSpan LeavePatience = TimeSpan.FromSeconds(1);

    private readonly LinkSettings _settings;
    private readonly LinkLanes _lanes;
    private readonly LinkBulk _bulk;
    private readonly PendingCalls _pending;
    private readonly OutgoingMethods _methods;
    private readonly LinkServing? _serving;
    private readonly LinkClock _clock;
    private readonly LinkUse? _use;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _stopping = new();
    private GlueException? _endCause;
    private bool _isLeaving;
    private bool _hasPeerLeft;
    private int _hasLeft;

    /// <summary>A link that this side has opened.</summary>
    /// <param name="settings">What the handshake found.</param>
    /// <param name="keep">Keeps a lane of the link on a stream.</param>
    public Link(LinkSettings settings, Action<Link, Lane> keep)
        : this(settings, keep, null)
    {
    }

    /// <summary>A link that a peer has opened to a server.</summary>
    /// <param name="settings">What the handshake found.</param>
    /// <param name="server">Serves its calls.</param>
    public Link(LinkSettings settings, Serving.ServerRuntime server)
        : this(settings, null, server)
    {
    }

    private Link(LinkSettings settings, Action<Link, Lane>? keep, Serving.ServerRuntime? server)
    {
        _settings = settings;
        _lanes = new LinkLanes(this, keep);
        _bulk = new LinkBulk(_lanes, settings);
        _pending = new PendingCalls(settings.CallsInFlightMax);
        _methods = new OutgoingMethods(_lanes.Calls.Writer);
        _serving = server is null ? null : new LinkServing(server, settings, _bulk);
        _clock = new LinkClock(this, settings.Time, settings.HeartbeatInterval / LinkPulse.BeatsPerInterval);
        // Whoever opened the link gives it up.
        _use = server is null ? new LinkUse(settings.Time, GlueLimits.LinkIdleMax) : null;
        _clock.Start();
    }

    /// <summary>
    /// False once the link has ended, is idle for too long, or the peer has announced its end: further calls need
    /// another link.
    /// </summary>
    public bool IsOpen => IsAlive && !Volatile.Read(ref _isLeaving);

    /// <summary>False once the link has ended.</summary>
    public bool IsAlive => Volatile.Read(ref _endCause) is null;

    /// <summary>Whether a lane without a stream needs another one: false also when either side has left.</summary>
    public bool NeedsStreams => IsAlive && !HasEitherLeft;

    /// <summary>Completes when nothing of the link runs any more.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Completes when calls can be sent, or the link has ended.</summary>
    public Task Ready => _lanes.Calls.Carried;

    public LinkSettings Settings => _settings;

    /// <summary>Cancelled when the link has ended.</summary>
    public CancellationToken Stopping => _stopping.Token;

    public bool IsBusy
        => _pending.Count > 0 || _serving is { HasCalls: true } || !_lanes.AreCarried;

    /// <summary>Why the link ended, for the peer's trailers and for the log.</summary>
    public GlueException? EndCause => Volatile.Read(ref _endCause);

    /// <summary>The lane of a role; made when the peer asks for it first.</summary>
    public Lane LaneOf(LaneRole role) => _lanes.Of(role);

    /// <summary>
    /// Carries a lane over a stream until that ends; then the link ends as well, or waits for another stream.
    /// </summary>
    /// <param name="lane">Of this link.</param>
    /// <param name="stream">The caller's to dispose afterwards.</param>
    /// <param name="join">Gets what was received here and gives what was received there.</param>
    public async Task CarryAsync(Lane lane, IMessageStream stream, Func<ulong, ValueTask<ulong>> join)
    {
        Task<Exception?> carrying = await lane.CarryAsync(stream, join);
        Exception? end = await carrying;
        if (end is WireException)
            End(GlueErrorCode.ProtocolViolation, end.Message, end, except: lane);
        else if (!_settings.IsResumable || (HasEitherLeft && lane == _lanes.Control))
            End(GlueErrorCode.LinkLost, end?.Message ?? "the peer ended it", end);
        else
            _clock.Wake();
    }

    /// <summary>Starts a call without waiting; the call is finished here if it can never be sent.</summary>
    public StartResult TryStart(OutgoingCall call)
    {
        if (!IsOpen || !_lanes.Calls.IsCarried)
            return StartResult.NotConnected;
        if (call.Arguments.Length > _settings.MessageBytesMax - GlueWire.EnvelopeHeaderBytesMax)
        {
            call.FinishWithFailure(
                GlueErrors.ArgumentsTooLarge(call.Method.Contract, call.Arguments.Length, _settings.MessageBytesMax));
            return StartResult.Started;
        }

        _use?.NoteCall();
        int handle = _methods.HandleOf(call.Method);
        OutgoingMethods.Verdict verdict = _methods.VerdictOf(handle);
        if (!verdict.IsSame)
        {
            if (!verdict.IsKnown && !call.Method.IsFixed)
                return StartResult.NotBound;
            if (verdict.Refusal is { } refusal)
            {
                call.FinishWithFailure(refusal);
                return StartResult.Started;
            }

            if (verdict.IsDescribed && !call.TryDescribe())
                return StartResult.Started;
        }

        return call.Method.Contract.IsOneWay ? StartOneWay(call, handle) : StartCall(call, handle);
    }

    /// <summary>Completes when the server may have said whether it has the method, or the link has ended.</summary>
    public Task WaitForVerdictAsync(ClientMethod method)
        => IsAlive ? _methods.WaitForVerdictAsync(_methods.HandleOf(method)) : Task.CompletedTask;

    /// <exception cref="TimeoutException">There was no room in time.</exception>
    public Task WaitForRoomAsync(StartResult full, TimeSpan timeout, CancellationToken cancellationToken)
        => full == StartResult.CallsFull
            ? _pending.WaitForRoomAsync(timeout, _settings.Time, cancellationToken)
            : (full == StartResult.BulkFull ? _bulk.WaitForRoomAsync() : _lanes.Calls.Writer.WaitForRoomAsync())
                .WaitAsync(timeout, _settings.Time, cancellationToken);

    public bool TryCancel(ulong callId, OutgoingCall call)
    {
        if (_pending.TryRemove(callId, call) is null)
            return false;
        SendCancel(callId);
        return true;
    }

    /// <summary>Tells the peer that no new calls are taken, and ends the link when the running ones are done.</summary>
    public void StartDrain()
    {
        if (_serving is null || !_serving.TryBeginDrain())
            return;
        _lanes.Control.Writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Drain }, default);
        _ = FinishDrainAsync(_serving);
    }

    /// <summary>Ends at once. The first cause counts; calls under way fail with it.</summary>
    public void End(GlueErrorCode code, string reason, Exception? cause = null, Lane? except = null)
    {
        GlueException failure = GlueErrors.LinkLost(_settings.PeerName, code, reason, cause);
        if (Interlocked.CompareExchange(ref _endCause, failure, null) is not null)
            return;
        _bulk.Close();
        Lane[] lanes = _lanes.Close();
        foreach (Lane lane in lanes)
        {
            // One whose peer is told the reason in its trailers has ended by itself.
            if (lane != except)
                lane.Abort();
        }

        foreach (OutgoingCall call in _pending.Close())
            call.FinishWithFailure(failure);
        _methods.Close();
        _serving?.LinkEnded(code);
        _ = ConcludeAsync(lanes);
    }

    /// <summary>Ends, after telling the peer that nobody waits for it any more, and waits until nothing runs.</summary>
    public async ValueTask DisposeAsync()
    {
        const string reason = "the client was disposed";
        GlueException failure = GlueErrors.LinkLost(
            _settings.PeerName, GlueErrorCode.ClientDisposed, reason, cause: null);
        foreach (OutgoingCall call in _pending.Close())
            call.FinishWithFailure(failure);
        _bulk.AbandonCalls();
        try
        {
            // Until the peer has ended its half: a stream that is aborted may lose what was sent last.
            await LeaveInOrderAsync().WaitAsync(LeavePatience, _settings.Time);
        }
        catch (TimeoutException)
        {
            // It finds out by itself.
        }

        End(GlueErrorCode.ClientDisposed, reason);
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

        if (_use?.IsOver(now, _pending.Count > 0) == true)
            Volatile.Write(ref _isLeaving, true);
        LeaveWhenEmpty();
        _serving?.CancelExpired(now);
        _bulk.Beat();
        foreach (Lane lane in _lanes.All)
            Beat(lane, now);
    }

    public void Handle(Lane lane, ReadOnlySpan<byte> envelopes)
    {
        var reader = new WireReader(envelopes);
        while (!reader.AtEnd)
        {
            Envelope envelope = Envelope.Read(ref reader);
            if (envelope.Kind == EnvelopeKind.Chunk)
                HandleChunk(lane, envelope);
            else
                Handle(lane, envelope);
        }

        LeaveWhenEmpty();
    }

    public ValueTask WaitForRoomAsync(Lane lane)
        => _serving is null ? ValueTask.CompletedTask : _serving.WaitForRoomAsync(lane);

    /// <summary>The peer has ended its half: answer what still runs.</summary>
    public async Task FinishAsync(Lane lane)
    {
        // Nobody waits for answers when the peer has left.
        if (_serving is null || Volatile.Read(ref _hasPeerLeft))
            return;
        await _serving.WaitUntilEmptyAsync();
        await _bulk.WaitUntilIdleAsync();
        await lane.Writer.WaitUntilIdleAsync();
    }

    private bool HasEitherLeft => Volatile.Read(ref _hasPeerLeft) || Volatile.Read(ref _hasLeft) == 1;

    private void HandleChunk(Lane lane, in Envelope chunk)
    {
        if (lane.Transfers.Take(chunk) is not { } transfer)
            return;
        PooledBytes body = transfer.Complete();
        try
        {
            Handle(lane, Envelope.Join(transfer.Head, body, transfer.BeganAt));
        }
        finally
        {
            body.Release();
        }
    }

    private void Handle(Lane lane, in Envelope envelope)
    {
        switch (envelope.Kind)
        {
            case EnvelopeKind.Reply or EnvelopeKind.Fault:
                // An unknown id belongs to a caller that gave up: the answer came too late.
                Finish(_pending.TryRemove(envelope.CallId), envelope, lane.Work);
                break;
            case EnvelopeKind.Ping:
                lane.Writer.Append(
                    new EnvelopeHeader { Kind = EnvelopeKind.Pong, CallId = envelope.CallId }, default);
                break;
            case EnvelopeKind.Pong:
                break;
            case EnvelopeKind.Bound:
                _methods.Learn(BindVerdicts.Read(envelope.Body));
                break;
            case EnvelopeKind.OpenLane:
                _lanes.HandleOpen(envelope.CallId);
                break;
            case EnvelopeKind.Drain:
                Volatile.Write(ref _isLeaving, true);
                break;
            case EnvelopeKind.Leave:
                Volatile.Write(ref _isLeaving, true);
                Volatile.Write(ref _hasPeerLeft, true);
                _serving?.CancelAll();
                break;
            default:
                if (_serving is null || !_serving.TryHandle(lane, envelope))
                    throw new WireException($"envelope kind: {envelope.Kind} is not expected here.");
                _clock.Wake();
                break;
        }
    }

    private void Beat(Lane lane, long now)
    {
        lane.Beat(now);
        if (!lane.IsCarried && lane.Writer.HeldBytes > _settings.SendQueueBytesMax)
        {
            End(
                GlueErrorCode.LinkLost,
                $"{lane.Writer.HeldBytes} bytes wait for a peer without a connection; SendQueueBytesMax allows "
                + $"{_settings.SendQueueBytesMax}",
                lane.Loss);
        }

        if (lane.LostFor(now) <= _settings.ResumeWindow)
            return;
        End(
            lane.Loss is TimeoutException ? GlueErrorCode.HeartbeatLost : GlueErrorCode.LinkLost,
            $"it could not be resumed within ResumeWindow ({_settings.ResumeWindow.TotalSeconds:0.##} s)"
            + $"{(lane.Loss is null ? "" : $": {lane.Loss.Message}")}",
            lane.Loss);
    }

    private static void Finish(OutgoingCall? call, in Envelope answer, PoolRun run)
    {
        if (call is null)
            return;
        call.SetReplyHeaders(answer.Headers);
        call.FinishWithAnswer(answer.Kind, answer.Body, answer.OwnBody, run);
    }

    private StartResult StartCall(OutgoingCall call, int handle)
    {
        StartResult added = _pending.TryAdd(call, out ulong callId);
        if (added != StartResult.Started)
            return added;
        // Before the call is sent: its deadline counts from then on.
        _clock.Wake();
        call.SetCarrier(this, callId);
        var header = new EnvelopeHeader
        {
            Kind = EnvelopeKind.Call,
            CallId = callId,
            Method = (ulong)handle,
            RemainingMilliseconds = CallDeadline.ToWire(call.Remaining),
            Headers = call.Headers,
        };
        StartResult appended = Send(header, call);
        // Whoever took the call out of the table meanwhile, a link that ends, has finished it.
        if (appended != StartResult.Started && _pending.TryRemove(callId, call) is not null)
            return appended;
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
            Headers = call.Headers,
        };
        StartResult appended = Send(header, call);
        if (appended == StartResult.Started)
            call.FinishWithoutAnswer();
        return appended;
    }

    private StartResult Send(in EnvelopeHeader header, OutgoingCall call)
        => _bulk.Carries(call)
            ? _bulk.TrySend(header, call)
            : _lanes.Calls.Writer.TryAppendCall(header, call.Arguments, IsAlone(header.Kind));

    // No other caller waits for its answer, or has got it and may call again.
    private bool IsAlone(EnvelopeKind kind)
        => kind == EnvelopeKind.Call && _pending.Count == 1 && _lanes.Calls.Work.IsEmpty;

    private void SendCancel(ulong callId)
    {
        _bulk.Abandon(callId, isAnswer: false);
        _lanes.Control.Writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Cancel, CallId = callId }, default);
    }

    private async Task ConcludeAsync(Lane[] lanes)
    {
        await _stopping.CancelAsync();
        await _clock.DisposeAsync();
        foreach (Lane lane in lanes)
        {
            await lane.Ended;
            lane.Transfers.Clear();
        }

        _ended.TrySetResult();
    }

    private async Task FinishDrainAsync(LinkServing serving)
    {
        await serving.WaitUntilEmptyAsync();
        try
        {
            // A peer that knows Drain leaves when it has all its answers, so that none of its calls is cut.
            await Ended.WaitAsync(LeavePatience, _settings.Time);
        }
        catch (TimeoutException)
        {
            await LeaveAsync();
        }
    }

    /// <summary>
    /// The peer drains, or nobody calls it any more, and nobody here waits for it: let it go.
    /// </summary>
    private void LeaveWhenEmpty()
    {
        if (!Volatile.Read(ref _isLeaving) || !_pending.TryCloseIfEmpty())
            return;
        if (Interlocked.Exchange(ref _hasLeft, 1) == 0)
            _ = LeaveAsync();
    }

    private async Task LeaveInOrderAsync()
    {
        if (Interlocked.Exchange(ref _hasLeft, 1) == 0)
            await LeaveAsync();
        await _lanes.Control.Ended;
    }

    private async Task LeaveAsync()
    {
        await _bulk.WaitUntilIdleAsync();
        _lanes.Control.Writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Leave }, default);
        foreach (Lane lane in _lanes.All.Reverse())
            await lane.CompleteAsync();
    }
}
