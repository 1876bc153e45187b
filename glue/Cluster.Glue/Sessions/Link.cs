using Cluster.Contracts;
using Cluster.Glue.Faults;
using Cluster.Glue.References;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Serving;
using Cluster.Glue.Settings;
using Cluster.Glue.Substreams;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>
/// What two processes share from the handshake to its end, whatever streams carry it meanwhile: the calls that one
/// makes and the other serves, on lanes that survive the loss of a stream. Owned by a channel (the side that opened it)
/// or by the server. Its parts protect themselves; ending happens once.
/// </summary>
internal sealed class Link : IBeating, ILaneOwner, IReferenceOwner, IAsyncDisposable
{
    private static ulong _lastNumber;

    private readonly CallHost _host;
    private readonly LinkSettings _settings;
    private readonly LinkLanes _lanes;
    private readonly LinkBulk _bulk;
    private readonly bool _isAccepted;
    private readonly LinkClock _clock;
    private readonly LinkUse? _use;
    private LinkServing? _serving;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _peerLeft = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _stopping = new();
    private GlueException? _endCause;
    private bool _isLeaving;
    private bool _isRetired;
    private bool _hasLeft;
    private int _leaveBegan;

    /// <summary>Creates the state of a link whose handshake is done.</summary>
    /// <param name="settings">What the handshake found.</param>
    /// <param name="host">Serves the calls of the peer: those of an accepter to objects only.</param>
    /// <param name="keep">Keeps a lane on a stream, at the side that opened the link; null: the peer did.</param>
    public Link(LinkSettings settings, CallHost host, Action<Link, Lane>? keep)
    {
        _host = host;
        _settings = settings;
        IncomingRoom = new TransferRoom(settings);
        _isAccepted = keep is null;
        _lanes = new LinkLanes(this, keep);
        References = new ReferenceTable(settings, _lanes.Control.Writer, this);
        _bulk = new LinkBulk(_lanes, settings, References);
        _clock = new LinkClock(this, settings.Time, settings.HeartbeatInterval / LinkPulse.BeatsPerInterval);
        Calls = new LinkCalls(this, _lanes, _bulk, _clock);
        _serving = _isAccepted ? new LinkServing(this, host, _bulk) : null;
        // Whoever opened the link gives it up.
        _use = _isAccepted ? null : new LinkUse(settings.Time, GlueLimits.LinkIdleMax);
        _clock.Start();
    }

    /// <summary>Tells the link from the others of this process; not 0.</summary>
    public ulong Number { get; } = Interlocked.Increment(ref _lastNumber);

    /// <summary>
    /// False once the link has ended, is idle for too long, is to be replaced, or the peer has announced its end:
    /// further calls need another link.
    /// </summary>
    public bool IsOpen => IsAlive && !Volatile.Read(ref _isLeaving) && !Volatile.Read(ref _isRetired);

    /// <summary>False once the link has ended.</summary>
    public bool IsAlive => Volatile.Read(ref _endCause) is null;

    /// <summary>Whether a lane without a stream needs another one: false also when either side has left.</summary>
    public bool NeedsStreams => IsAlive && !HasEitherLeft;

    /// <summary>Whether the peer has said goodbye: nobody there waits for an answer.</summary>
    public bool HasPeerLeft => _peerLeft.Task.IsCompleted;

    public bool IsPeerGone => _isAccepted && HasPeerLeft;

    /// <summary>Completes when nothing carries the link any more.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Completes when it has ended, and the one-way calls that were received before have run.</summary>
    public Task Finished => _finished.Task;

    /// <summary>Completes when calls can be sent, or the link has ended.</summary>
    public Task Ready => _lanes.Calls.Carried;

    public LinkSettings Settings => _settings;

    public TransferRoom IncomingRoom { get; }

    /// <summary>The calls that this side makes.</summary>
    public LinkCalls Calls { get; }

    /// <summary>The objects and streams that the two sides refer to.</summary>
    public ReferenceTable References { get; }

    /// <summary>Whether calls of the peer run here.</summary>
    public bool IsServing => Volatile.Read(ref _serving) is { HasCalls: true };

    /// <summary>Carries what the other lanes may wait for; its reading never stops.</summary>
    public Lane Control => _lanes.Control;

    private LinkServing Serving => Volatile.Read(ref _serving) ?? LazyInitializer.EnsureInitialized(
        ref _serving, () => new LinkServing(this, _host, _bulk));

    /// <summary>Cancelled when the link has ended.</summary>
    public CancellationToken Stopping => _stopping.Token;

    public bool IsBusy => IsAlive
        ? Calls.HasAny || IsServing || !_lanes.AreCarried || _lanes.HaveUntold
        : _serving?.HasDeadlines == true;

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
        var carrying = await lane.CarryAsync(stream, join).ConfigureAwait(false);
        // It came too late for the goodbye, and the peer waits for its end.
        if (!_isAccepted && Volatile.Read(ref _hasLeft))
            await lane.CompleteAsync().ConfigureAwait(false);
        var end = await carrying.ConfigureAwait(false);
        if (end is WireException)
            End(GlueErrorCode.ProtocolViolation, end.Message, end, except: lane);
        else if (!_settings.IsResumable || (HasEitherLeft && lane == _lanes.Control))
            End(GlueErrorCode.LinkLost, end?.Message ?? "the peer ended it", end);
        else
            _clock.Wake();
    }

    /// <summary>A call begins.</summary>
    public void NoteCall() => _use?.NoteCall();

    /// <summary>Tells the peer that no new calls are taken, and ends the link when the running ones are done.</summary>
    public void StartDrain()
    {
        if (!_isAccepted || !Serving.TryBeginDrain())
            return;
        Control.Writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Drain }, default);
        _ = FinishDrainAsync(Serving);
    }

    /// <summary>
    /// What the link was opened with, a certificate or a token, is about to end or has been changed: further calls take
    /// another link. This one leaves when nothing is under way on it, and nothing refers to objects over it.
    /// </summary>
    public void Retire()
    {
        if (_isAccepted)
        {
            Control.Writer.Append(
                new EnvelopeHeader { Kind = EnvelopeKind.Drain, CallId = GlueWire.DrainToRenew }, default);
            return;
        }

        Volatile.Write(ref _isRetired, true);
        ThreadPool.UnsafeQueueUserWorkItem(static link => link.LeaveIfRetired(), this, preferLocal: false);
    }

    /// <summary>Ends the link as soon as it carries no call. Objects lent over it do not keep it.</summary>
    public void Leave()
    {
        Volatile.Write(ref _isLeaving, true);
        LeaveIfDone();
    }

    /// <summary>Ends at once. The first cause counts; calls under way fail with it.</summary>
    public void End(GlueErrorCode code, string reason, Exception? cause = null, Lane? except = null)
    {
        var failure = GlueErrors.LinkLost(_settings.PeerName, code, reason, cause);
        if (Interlocked.CompareExchange(ref _endCause, failure, null) is not null)
            return;
        _bulk.Close();
        var lanes = _lanes.Close();
        foreach (var lane in lanes)
        {
            // One whose peer is told the reason in its trailers has ended by itself.
            if (lane != except)
                lane.Abort();
        }

        Calls.Close(failure);
        _serving?.LinkEnded(code);
        References.End(failure);
        _ = ConcludeAsync(lanes);
    }

    /// <summary>Cancels what is served, whoever waits for it.</summary>
    public void CancelServed() => _serving?.CancelAll();

    /// <summary>
    /// Ends, after the peer has got what was sent and that nobody waits for it any more, and waits until nothing
    /// carries the link.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        const string reason = "the client was disposed";
        var failure = GlueErrors.LinkLost(
            _settings.PeerName, GlueErrorCode.ClientDisposed, reason, cause: null);
        Calls.CloseMain(failure);
        _bulk.AbandonCalls();
        // Until the peer has ended its half: a stream that is aborted may lose what was sent last. One that does not
        // end it finds out by itself.
        await Farewell.WaitAsync(LeaveInOrderAsync(), () => HeldBytes, _settings.Time).ConfigureAwait(false);
        End(GlueErrorCode.ClientDisposed, reason);
        await Ended.ConfigureAwait(false);
    }

    void IReferenceOwner.Serve(Type contract) => _host.Callbacks.Serve(contract);

    object IReferenceOwner.CreateProxy(CallbackReference reference) =>
        _host.Callbacks.CreateProxy(reference, new CallbackChannel(this, reference));

    void IReferenceOwner.StreamsEnded() => LeaveIfDone();

    /// <summary>
    /// One beat of the link's clock: fails calls whose time is over, cancels served ones, and listens for the peer.
    /// </summary>
    public void Beat(long now)
    {
        if (!IsAlive)
        {
            _serving?.CancelExpired(now);
            return;
        }

        Calls.FailExpired(now);
        if (_use?.IsOver(now, IsUsed) == true)
            Volatile.Write(ref _isLeaving, true);
        LeaveIfRetired();
        _serving?.CancelExpired(now);
        _bulk.Beat();
        foreach (var lane in _lanes.All)
            Beat(lane, now);
    }

    public void Handle(Lane lane, ReadOnlySpan<byte> envelopes)
    {
        var reader = new WireReader(envelopes);
        while (!reader.AtEnd)
        {
            var envelope = Envelope.Read(ref reader);
            if (envelope.Kind == EnvelopeKind.Chunk)
                HandleChunk(lane, envelope);
            else
                Handle(lane, envelope);
        }

        LeaveIfRetired();
    }

    public ValueTask WaitForRoomAsync(Lane lane)
    {
        // What runs may wait for what comes on control; where there is no other lane, only if there are references.
        var mayStop = _isAccepted && (lane != Control || !(_settings.IsResumable || References.IsUsed));
        return mayStop ? Serving.WaitForRoomAsync(lane) : ValueTask.CompletedTask;
    }

    /// <summary>The peer has ended its half: answer what still runs, unless nobody waits for answers.</summary>
    public async Task FinishAsync(Lane lane)
    {
        if (!_isAccepted)
            return;
        await Task.WhenAny(AnswerAllAsync(), _peerLeft.Task).ConfigureAwait(false);
        // The goodbye comes on control, perhaps before what was sent earlier on other lanes; its end is that of all.
        if (HasPeerLeft && lane == Control)
            await WaitForOthersAsync().ConfigureAwait(false);
        await lane.Writer.WaitUntilIdleAsync().ConfigureAwait(false);
    }

    /// <summary>A stream has ended; perhaps the link was only waiting for that.</summary>
    public void LeaveIfDone()
    {
        if (Volatile.Read(ref _isLeaving))
            ThreadPool.UnsafeQueueUserWorkItem(static link => link.LeaveWhenEmpty(), this, preferLocal: false);
    }

    private bool HasEitherLeft => HasPeerLeft || Volatile.Read(ref _hasLeft);

    // What has not arrived at the peer, as far as is known here.
    private long HeldBytes => _bulk.QueuedBytes + _lanes.All.Sum(lane => lane.Writer.HeldBytes);

    private void HandleChunk(Lane lane, in Envelope chunk)
    {
        if (lane.Transfers.Take(chunk, lane.SentAt) is not { } transfer)
            return;
        var body = transfer.Complete();
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
                Calls.Finish(envelope, lane.Work);
                break;
            case EnvelopeKind.Ping:
                lane.Writer.Append(
                    new EnvelopeHeader { Kind = EnvelopeKind.Pong, CallId = envelope.CallId }, default);
                break;
            case EnvelopeKind.Pong:
                break;
            case EnvelopeKind.Bound:
                Calls.Learn(envelope);
                break;
            case EnvelopeKind.OpenLane:
                _lanes.HandleOpen(envelope.CallId);
                break;
            case EnvelopeKind.Drain when envelope.CallId == GlueWire.DrainToRenew && !_isAccepted:
                Retire();
                break;
            case EnvelopeKind.Drain:
                Volatile.Write(ref _isLeaving, true);
                break;
            case EnvelopeKind.Leave:
                Volatile.Write(ref _isLeaving, true);
                _peerLeft.TrySetResult();
                _serving?.PeerLeft();
                break;
            default:
                if (References.TryHandle(envelope))
                    break;
                if (!Serving.TryHandle(lane, envelope))
                    throw new WireException($"envelope kind: {envelope.Kind} is not expected here.");
                _clock.Wake();
                break;
        }
    }

    private void Beat(Lane lane, long now)
    {
        lane.Beat(now);
        // What waits for the bulk lane is bounded by its sender, and more than that may be there while it is opened.
        if (!lane.IsCarried && lane.Role != LaneRole.Bulk && lane.Writer.HeldBytes > _settings.MaxSendQueueBytes)
        {
            End(
                GlueErrorCode.LinkLost,
                $"{lane.Writer.HeldBytes} bytes wait for a peer without a connection; MaxSendQueueBytes allows "
                + $"{_settings.MaxSendQueueBytes}",
                lane.Loss);
        }

        if (lane.LostFor(now) <= _settings.ResumeWindow)
            return;
        var failed = Ready.IsCompleted ? "it could not be resumed" : "not all of its streams were opened";
        End(
            lane.Loss is TimeoutException ? GlueErrorCode.HeartbeatLost : GlueErrorCode.LinkLost,
            $"{failed} within ResumeWindow ({_settings.ResumeWindow.TotalSeconds:0.##} s)"
            + $"{(lane.Loss is null ? "" : $": {lane.Loss.Message}")}",
            lane.Loss);
    }

    private bool IsUsed => Calls.HasMain || IsServing || References.IsUsed;

    private async Task ConcludeAsync(Lane[] lanes)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        foreach (var lane in lanes)
        {
            await lane.Ended.ConfigureAwait(false);
            lane.Transfers.Clear();
        }

        _ended.TrySetResult();
        // What runs on is still bound by its deadlines.
        if (_serving is { } serving)
        {
            await serving.WaitForOneWaysAsync().ConfigureAwait(false);
            _finished.TrySetResult();
            await serving.WaitUntilEmptyAsync().ConfigureAwait(false);
        }

        _finished.TrySetResult();
        await _clock.DisposeAsync().ConfigureAwait(false);
    }

    private async Task FinishDrainAsync(LinkServing serving)
    {
        await serving.WaitUntilEmptyAsync().ConfigureAwait(false);
        await References.WaitUntilNoStreamRunsAsync().ConfigureAwait(false);
        try
        {
            // A peer that knows Drain leaves when it has all its answers, so that none of its calls is cut.
            await Ended.WaitAsync(GlueLimits.LeavePatience, _settings.Time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            await LeaveAsync().ConfigureAwait(false);
        }
    }

    /// <summary>
    /// The peer drains, or nobody calls it any more, and nobody here waits for it: let it go.
    /// </summary>
    private void LeaveIfRetired()
    {
        if (Volatile.Read(ref _isRetired) && !IsUsed)
            Volatile.Write(ref _isLeaving, true);
        LeaveWhenEmpty();
    }

    private void LeaveWhenEmpty()
    {
        if (!Volatile.Read(ref _isLeaving))
            return;
        // A peer that has left wants neither of them.
        if (!HasPeerLeft && (References.RunningStreams > 0 || IsServing))
            return;
        if (!Calls.TryCloseIfEmpty())
            return;
        if (Interlocked.Exchange(ref _leaveBegan, 1) == 0)
            _ = LeaveAsync();
    }

    private async Task LeaveInOrderAsync()
    {
        if (Interlocked.Exchange(ref _leaveBegan, 1) == 0)
            await LeaveAsync().ConfigureAwait(false);
        await Control.Ended.ConfigureAwait(false);
    }

    private async Task LeaveAsync()
    {
        if (!HasPeerLeft)
            await SendAllAsync().ConfigureAwait(false);
        Volatile.Write(ref _hasLeft, true);
        Control.Writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Leave }, default);
        // What it sent before is still to be read: to end a stream that was accepted ends its reading, too.
        if (IsPeerGone)
        {
            await Farewell.WaitAsync(Control.WaitUntilEndedAsync(), () => ReceivedAt, _settings.Time)
                .ConfigureAwait(false);
        }

        foreach (var lane in _lanes.All.Reverse())
            await lane.CompleteAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Completes when all that was called is written, and nothing follows. Where a stream was cut meanwhile, another
    /// one carries on.
    /// </summary>
    private async Task SendAllAsync()
    {
        Calls.EndMain();
        await _bulk.WaitUntilIdleAsync().ConfigureAwait(false);
        foreach (var lane in _lanes.All.Where(lane => lane.Writer.HeldBytes > 0))
        {
            await lane.Carried.ConfigureAwait(false);
            await lane.Writer.WaitUntilIdleAsync().ConfigureAwait(false);
        }
    }

    private async Task AnswerAllAsync()
    {
        await Serving.WaitUntilEmptyAsync().ConfigureAwait(false);
        await _bulk.WaitUntilIdleAsync().ConfigureAwait(false);
    }

    private async Task WaitForOthersAsync()
    {
        var ends = Task.WhenAll(_lanes.All.Where(lane => lane != Control).Select(lane => lane.WaitUntilEndedAsync()));
        await Farewell.WaitAsync(ends, () => ReceivedAt, _settings.Time).ConfigureAwait(false);
    }

    private long ReceivedAt => _lanes.All.Max(lane => lane.ReceivedAt);
}
