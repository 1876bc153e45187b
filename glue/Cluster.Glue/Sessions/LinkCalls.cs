using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.References;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Signatures;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>The calling half of a link: the two paths of calls, the calls under way, and the delivery of their answers.
/// Callers come from all threads, answers from the substreams' read loops; the parts protect themselves.</summary>
internal sealed class LinkCalls(Link link, LinkSubstreams substreams, LinkBulk bulk, LinkClock clock) : ICallCanceller
{
    private readonly Link _link = link;
    private readonly LinkSubstreams _substreams = substreams;
    private readonly LinkBulk _bulk = bulk;
    private readonly LinkClock _clock = clock;
    private readonly CallPath _main = new CallPath(
            substreams.Calls,
            new OutgoingMethods(substreams.Calls, link.Settings.PeerName),
            link.Settings.MaxCallsInFlight,
            idMark: 0);
    private CallPath? _nested;

    public ReferenceTable References => _link.References;

    /// <summary>Whether calls to services are under way.</summary>
    public bool HasMain => _main.Pending.Count > 0;

    /// <summary>Whether any calls are under way.</summary>
    public bool HasAny => HasMain || Volatile.Read(ref _nested) is { Pending.Count: > 0 };

    private CallPath Nested => Volatile.Read(ref _nested)
        ?? LazyInitializer.EnsureInitialized(ref _nested, NewNested);

    /// <summary>Starts a call without waiting; the call is finished here if it can never be sent.</summary>
    /// <param name="call">The call.</param>
    /// <param name="target">The object of the peer that is called; 0 for its services.</param>
    public StartResult TryStart(OutgoingCall call, ulong target = 0)
    {
        var path = PathOf(target);
        if (!(target == 0 ? _link.IsOpen : _link.IsAlive) || !path.Substream.IsCarried)
            return StartResult.NotConnected;
        var settings = _link.Settings;
        if (!call.TryFit(settings.MaxMessageBytes, GlueWire.EnvelopeHeaderBytesMax))
            return StartResult.Started;

        _link.NoteCall();
        var handle = path.Methods.HandleOf(call.Method);
        var state = path.Methods.BindStateOf(handle);
        if (!state.IsSame)
        {
            if (!state.IsKnown && !call.Method.IsFixed)
                return StartResult.NotBound;
            if (state.Refusal is { } refusal)
            {
                call.FinishWithFailure(GlueErrors.Again(refusal));
                return StartResult.Started;
            }

            if (state.IsDescribed && !call.TryDescribe())
                return StartResult.Started;
        }

        if (call.References is not null && !call.TryBindReferences(References))
            return StartResult.Started;
        var isOneWay = call.Method.Contract.IsOneWay;
        var chain = path == _main ? 0 : GlueCall.CurrentChain;
        var header = new EnvelopeHeader
        {
            Kind = isOneWay ? EnvelopeKind.OneWay : EnvelopeKind.Call,
            Method = (ulong)handle,
            Target = target,
            Chain = chain,
            // A call for which a served call waits is in no line: there it could wait for one-way calls that wait for
            // it.
            Line = chain == 0 ? call.Route.LineOf(call.Method.Contract) : 0,
            RemainingMilliseconds = CallDeadline.ToWire(call.RemainingAtStart),
            CountedAt = call.StartedAt,
            Headers = call.Headers,
        };
        return isOneWay ? StartOneWay(call, path, header) : StartCall(call, path, header);
    }

    /// <summary>Completes when the server may have answered whether it has the method, or the link has ended.</summary>
    /// <param name="method">The method.</param>
    /// <param name="target">The object that is called; 0 for a service.</param>
    public Task WaitForBindAsync(ClientMethod method, ulong target = 0)
    {
        var methods = PathOf(target).Methods;
        return _link.IsAlive ? methods.WaitForBindAsync(methods.HandleOf(method)) : Task.CompletedTask;
    }

    /// <summary>Completes when a call that was not started may be tried again.</summary>
    /// <param name="full">Why the call was not started.</param>
    /// <param name="timeout">The longest time to wait.</param>
    /// <param name="cancellationToken">The token of the call.</param>
    /// <param name="target">The object that is called; 0 for a service.</param>
    /// <exception cref="TimeoutException">There was no room in time.</exception>
    public Task WaitForRoomAsync(
        StartResult full, TimeSpan timeout, CancellationToken cancellationToken, ulong target = 0)
    {
        var path = PathOf(target);
        var time = _link.Settings.Time;
        if (full == StartResult.CallsFull)
            return path.Pending.WaitForRoomAsync(timeout, time, cancellationToken);
        var room = full == StartResult.BulkFull ? _bulk.WaitForRoomAsync() : path.Substream.Writer.WaitForRoomAsync();
        return room.WaitAsync(timeout, time, cancellationToken);
    }

    public bool TryCancel(ulong callId, OutgoingCall call)
    {
        var path = CallPath.IsNested(callId) ? Nested : _main;
        if (path.Pending.TryRemove(callId, call) is null)
            return false;
        GiveUp(call, callId, path, "it was cancelled");
        return true;
    }

    /// <summary>Ends a call with its answer. An answer whose caller has given up is counted and discarded.</summary>
    public void Finish(in Envelope answer, PoolRun run)
    {
        if (PendingOf(answer.CallId).TryRemove(answer.CallId) is not { } call)
        {
            // The caller has given up: the answer came too late.
            _link.Settings.Metrics.CountLateReply();
            IncomingReferences.Discard(answer.Body, References);
            return;
        }

        call.SetReplyHeaders(answer.Headers);
        call.FinishWithAnswer(answer.Kind, answer.Body, answer.OwnBody, run);
    }

    /// <summary>Takes the server's bind results. The id of the envelope is that of the Bind: the role of the substream
    /// that owns the handles.</summary>
    public void Learn(in Envelope bound)
    {
        var path = bound.CallId == (ulong)_main.Substream.Role ? _main : Nested;
        path.Methods.Learn(BindResults.Read(bound.Body));
    }

    /// <summary>Fails the calls whose deadline has passed.</summary>
    public void FailExpired(long now)
    {
        FailExpired(_main, now);
        if (Volatile.Read(ref _nested) is { } nested)
            FailExpired(nested, now);
    }

    /// <summary>Refuses further calls to services if none is under way. True: they are refused from now on.</summary>
    public bool TryCloseIfEmpty() => _main.Pending.TryCloseIfEmpty();

    /// <summary>Fails the calls to services that are under way, and refuses further ones.</summary>
    public void CloseMain(GlueException failure) => Close(_main, failure);

    /// <summary>Refuses further calls to services, because Leave follows.</summary>
    public void EndMain()
    {
        _main.Substream.Writer.EndCalls();
        _bulk.EndCalls();
    }

    /// <summary>Fails all calls under way and refuses further ones, because the link has ended.</summary>
    public void Close(GlueException failure)
    {
        Close(_main, failure);
        Close(Nested, failure);
        _main.Methods.Close();
        Nested.Methods.Close();
    }

    /// <summary>The failure of a call whose deadline passed before the call could be started.</summary>
    /// <param name="method">The method.</param>
    /// <param name="address">The address of the server.</param>
    /// <param name="reason">The result of the last attempt to start the call.</param>
    public static GlueException NotStartedInTime(ContractMethod method, string address, StartResult reason) =>
        reason switch
        {
            StartResult.CallsFull => GlueErrors.LimitUntilDeadline(
                method, address, GlueErrorCode.CallsInFlightLimit, "MaxCallsInFlight (of this side or the other)"),
            StartResult.QueueFull or StartResult.BulkFull => GlueErrors.LimitUntilDeadline(
                method, address, GlueErrorCode.SendQueueFull, "MaxSendQueueBytes"),
            StartResult.NotBound => GlueErrors.DeadlineBeforeSend(
                method, $"{address} to say whether it offers the method"),
            _ => GlueErrors.DeadlineBeforeSend(method, $"a connection to {address}"),
        };

    private static void Close(CallPath path, GlueException failure)
    {
        foreach (var call in path.Pending.Close())
            call.FinishWithFailure(GlueErrors.Again(failure));
    }

    private CallPath NewNested()
    {
        // Handles belong to a substream. With one substream only, both paths share its handles.
        var control = _substreams.Control;
        var methods = _main.Substream == control
            ? _main.Methods
            : new OutgoingMethods(control, _link.Settings.PeerName);
        return new CallPath(control, methods, GlueLimits.CallsInFlightHighest, CallPath.NestedMark);
    }

    private PendingCalls PendingOf(ulong callId) => CallPath.IsNested(callId) ? Nested.Pending : _main.Pending;

    private CallPath PathOf(ulong target) =>
        target != 0 || (_link.IsServing && GlueCall.Current?.Chain?.Link == _link.Number) ? Nested : _main;

    private void FailExpired(CallPath path, long now)
    {
        foreach ((var callId, var call) in path.Pending.RemoveExpired(now))
        {
            GiveUp(call, callId | path.IdMark, path, "its deadline has passed");
            call.FinishWithFailure(GlueErrors.DeadlineAwaitingReply(call.Method.Contract, _link.Settings.PeerName));
        }
    }

    private StartResult StartCall(OutgoingCall call, CallPath path, in EnvelopeHeader header)
    {
        var added = path.Pending.TryAdd(call, out var callId);
        if (added != StartResult.Started)
            return added;
        // Wake the clock before the call is sent: the deadline counts from then on.
        _clock.Wake();
        callId |= path.IdMark;
        call.NoteSending(this);
        var appended = Send(header with { CallId = callId }, call, path, out var place);
        // If the link ends at the same time, it takes the call out of the table and finishes it.
        if (appended != StartResult.Started && path.Pending.TryRemove(callId, call) is not null)
        {
            call.References?.NoteNotSent();
            return appended;
        }

        // From now on the call can be cancelled: its Cancel must not be sent before it.
        call.NoteQueued(callId, place);
        return StartResult.Started;
    }

    private StartResult StartOneWay(OutgoingCall call, CallPath path, in EnvelopeHeader header)
    {
        call.References?.NoteSent();
        var appended = Send(header, call, path, out _);
        if (appended == StartResult.Started)
            call.FinishWithoutAnswer();
        else
            call.References?.NoteNotSent();
        return appended;
    }

    private StartResult Send(in EnvelopeHeader header, OutgoingCall call, CallPath path, out QueuedPlace place)
    {
        var isFirst = path == _main;
        if (_bulk.Carries(call))
        {
            place = new QueuedPlace { IsBulk = true };
            return _bulk.TrySend(header, call, isFirst);
        }

        _bulk.NoteSmall();
        return path.Substream.Writer.TryAppendCall(
            header, call.Body, FlushModeOf(header.Kind, path), isFirst, out place);
    }

    // The only call under way leaves at once. Otherwise other callers, or one that has just got its answer, may join
    // the batch.
    private static FlushMode FlushModeOf(EnvelopeKind kind, CallPath path) =>
        kind == EnvelopeKind.Call && path.Pending.Count == 1 && path.Substream.Work.IsEmpty
            ? FlushMode.Now
            : FlushMode.Soon;

    // A call that is still being queued when its deadline passes needs no Cancel: its remaining time is over at the
    // server, too.
    private void GiveUp(OutgoingCall call, ulong callId, CallPath path, string reason)
    {
        if (!call.Carriage.IsQueuedAs(callId, out var place))
            return;
        call.References?.StopStreams($"The call that passed the stream, {call.Method.Contract.DisplayName}, has ended: "
            + $"{reason}.");
        if (place.IsBulk)
            _bulk.CancelCall(callId);
        else if (path.Substream.Writer.Cancel(place, callId))
            call.References?.NoteNotSent();
    }
}
