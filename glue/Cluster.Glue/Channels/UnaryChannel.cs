using Cluster.Glue.Authorization;
using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.Filters;
using Cluster.Glue.Routes;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Serving;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Cluster.Glue.Substreams;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;
using Grpc.Net.Client;

namespace Cluster.Glue.Channels;

/// <summary>The channel to one address with one HTTP/2 request per call. gRPC's channel keeps the connections; the
/// pending table decides who finishes a call and protects itself. Calls with streams or callbacks go over a link of one
/// stream, because one request cannot carry them.</summary>
internal sealed class UnaryChannel : ICallChannel, ICallCanceller, IAsyncDisposable
{
    private static readonly WriteOptions Uncompressed = new(WriteFlags.NoCompress);

    private readonly ClientSettings _settings;
    private readonly GrpcChannel _channel;
    private readonly Grpc.Core.CallInvoker _invoker;
    private readonly PendingCalls _pending;
    private readonly LinkChannel _references;
    private readonly Metadata _headers;
    private readonly PeerProbe _probe;
    private readonly Uri _uri;
    private bool _hasAnswered;
    private readonly ConcurrentDictionary<ClientMethod, UnaryMethodForm> _forms = new();
    private readonly CancellationTokenSource _disposal = new();
    private readonly CancellationTokenSource _lateDisposal = new();

    public UnaryChannel(
        string address,
        Uri uri,
        CallHost callbacks,
        ClientSettings settings,
        (GrpcChannels Channels, IMessageConnector Streams) transport)
    {
        _references = new LinkChannel(
            address, uri, callbacks, settings with { ResumeWindow = TimeSpan.Zero }, transport.Streams);
        Address = address;
        _settings = settings;
        _probe = new PeerProbe(uri);
        _uri = uri;
        _channel = transport.Channels.Open(uri, settings.MaxMessageBytes, manyConnections: true);
        _invoker = _channel.CreateCallInvoker();
        _pending = new PendingCalls(settings.MaxCallsInFlight);
        _headers = [];
        if (settings.MaxMessageBytes != GlueLimits.MaxMessageBytes)
        {
            _headers.Add(
                GlueWire.MessageLimitHeader, settings.MaxMessageBytes.ToString(CultureInfo.InvariantCulture));
        }

        if (settings.Compression == GlueCompression.Gzip)
            _headers.Add(GzipProvider.RequestHeader, GzipProvider.Name);
    }

    public string Address { get; }

    /// <summary>The link for calls with streams or callbacks.</summary>
    public LinkChannel Links => _references;

    public References.ReferenceTable? References => null;

    public GlueBinding Binding => GlueBinding.Unary;

    public StartResult TryStart(OutgoingCall call)
    {
        if (call.NeedsLink)
            return _references.TryStart(call);
        var form = FormOf(call.Method);
        if (form.IsDescribed && !call.TryDescribe())
            return StartResult.Started;
        if (!call.TryFit(_settings.MaxMessageBytes, GlueWire.EnvelopeHeaderBytesMax))
            return StartResult.Started;

        var bearer = BearerToken.In(call.Headers.Span);
        if (bearer is not null && !_settings.Tokens.MaySendTo(_uri))
        {
            call.FinishWithFailure(TokenSource.Insecure(Address));
            return StartResult.Started;
        }

        var added = _pending.TryAdd(call, out var callId);
        if (added != StartResult.Started)
            return added;
        var chain = GlueCall.Current?.Chain?.Id ?? 0;
        var header = new EnvelopeHeader
        {
            Kind = call.Method.Contract.IsOneWay ? EnvelopeKind.OneWay : EnvelopeKind.Call,
            CallId = callId,
            ContractHash = call.Method.Owner.Description.NameHash,
            Method = form.SignatureHash,
            LayoutFingerprint = call.Method.LayoutFingerprint,
            IsNamed = true,
            Line = chain == 0 ? call.Route.LineOf(call.Method.Contract) : 0,
            Headers = Join(
                form.Headers, bearer is null ? call.Headers : BearerToken.RemoveFrom(call.Headers.Span)),
            Chain = chain,
            RemainingMilliseconds = CallDeadline.ToWire(call.Remaining),
        };
        var message = UnaryMessage.Create(header, call.Arguments);
        call.Carriage.Begin(this);
        call.Carriage.NoteQueued(callId);
        _ = RunAsync(call, callId, message, form, new Limits(call.Remaining, bearer, call.Token));
        call.CheckCancelled();
        return StartResult.Started;
    }

    /// <summary>The limits of a request, and the token of its user. They are copied, because the call may be reused
    /// before the request has ended.</summary>
    private readonly record struct Limits(TimeSpan Remaining, string? Bearer, CancellationToken Token);

    public ValueTask StartAsync(OutgoingCall call) =>
        call.NeedsLink
            ? _references.StartAsync(call)
            : RoomWait.StartAsync(
                call,
                Address,
                TryStart,
                (left, token) => _pending.WaitForRoomAsync(left, _settings.Time, token));

    /// <summary>Removes the call. A registration on the same token ends the request itself.</summary>
    public bool TryCancel(ulong callId, OutgoingCall call) => _pending.TryRemove(callId, call) is not null;

    public async ValueTask DisposeAsync()
    {
        var failure = GlueErrors.LinkLost(
            Address, GlueErrorCode.ClientDisposed, "the client was disposed", null);
        foreach (var call in _pending.Close(keepsOneWays: true))
            call.FinishWithFailure(failure);
        await _disposal.CancelAsync().ConfigureAwait(false);
        var references = _references.DisposeAsync().AsTask();
        // Waits until the server has received the one-way calls.
        await Linger.WaitAsync(_pending.WaitUntilEmptyAsync(), () => _pending.Count, _settings.Time)
            .ConfigureAwait(false);
        foreach (var call in _pending.Close())
            call.FinishWithFailure(failure);
        await _lateDisposal.CancelAsync().ConfigureAwait(false);
        await references.ConfigureAwait(false);
        _channel.Dispose();
    }

    private async Task RunAsync(
        OutgoingCall call, ulong callId, ReadOnlyMemory<byte> message, UnaryMethodForm form, Limits limits)
    {
        var disposal = (form.Method.Contract.IsOneWay ? _lateDisposal : _disposal).Token;
        // gRPC keeps deadlines itself, by the system's clock.
        using var deadline = ReferenceEquals(_settings.Time, TimeProvider.System)
            ? null
            : new CancellationTokenSource(
                limits.Remaining > TimeSpan.Zero ? limits.Remaining : TimeSpan.Zero, _settings.Time);
        using var either = deadline is null && !limits.Token.CanBeCanceled
            ? null
            : CancellationTokenSource.CreateLinkedTokenSource(deadline?.Token ?? default, limits.Token, disposal);
        var ended = either?.Token ?? disposal;
        var request = GrpcMessage.Of(message);
        try
        {
            limits = limits with
            {
                Bearer = limits.Bearer ?? await _settings.Tokens.GetAsync(_uri, ended).ConfigureAwait(false),
            };
            var answer = await SendAsync(request, limits, ended).ConfigureAwait(false);
            if (!Volatile.Read(ref _hasAnswered))
                Volatile.Write(ref _hasAnswered, true);
            var refusal = UnaryMethodForm.RefusalIn(answer.ReadPayload().Span);
            var isAgreed = refusal != GlueErrorCode.Unknown
                && await TryAgreeAsync(form, refusal, limits, ended).ConfigureAwait(false);
            var isConcludedHere = !isAgreed && Finish(callId, call, answer.ReadPayload().Span);
            if (isAgreed)
                Restart(callId, call);
            answer.GiveBack();
            if (isConcludedHere)
                call.Execute();
        }
        catch (Exception exception)
        {
            var failures = new UnaryFailures(Address, form.Method.Contract, request.SerializedCount);
            var failure = await ExplainAsync(exception, failures, deadline?.IsCancellationRequested == true)
                .ConfigureAwait(false);
            if (_pending.TryRemove(callId, call) is not null)
                call.FinishWithFailure(failure);
        }
    }

    private Task<GrpcMessage> SendAsync(GrpcMessage request, Limits limits, CancellationToken cancellationToken)
    {
        // gRPC turns the time back into a duration at once, by the same clock.
        var deadline = TimeProvider.System.GetUtcNow().UtcDateTime + limits.Remaining;
        var options = new CallOptions(HeadersWith(limits.Bearer), deadline, cancellationToken);
        if (!request.IsWorthCompressing)
            options = options.WithWriteOptions(Uncompressed);
        // gRPC disposes of the call itself when its response has ended.
        return _invoker.AsyncUnaryCall(GrpcMethods.Call, null, options, request).ResponseAsync;
    }

    private Metadata HeadersWith(string? bearer)
    {
        if (bearer is null)
            return _headers;
        var headers = new Metadata { { BearerToken.HttpHeader, BearerToken.ToHttp(bearer) } };
        foreach (var entry in _headers)
            headers.Add(entry);
        return headers;
    }

    // A header block is a sequence of headers, so blocks can be joined.
    private static ReadOnlyMemory<byte> Join(ReadOnlyMemory<byte> first, ReadOnlyMemory<byte> second) =>
        first.IsEmpty ? second : second.IsEmpty ? first : (byte[])[.. first.Span, .. second.Span];

    private UnaryMethodForm FormOf(ClientMethod method) =>
        _forms.TryGetValue(method, out var form)
            ? form
            : _forms.GetOrAdd(method, static one => new UnaryMethodForm(one));

    /// <summary>Asks the server for another form of a method that was refused. False: the refusal stands.</summary>
    private async Task<bool> TryAgreeAsync(
        UnaryMethodForm refused, GlueErrorCode refusal, Limits limits, CancellationToken cancellationToken)
    {
        var next = refused.After(refusal);
        if (next is null && refused.AsksAfter(refusal))
        {
            var bindResults = await BindAsync(refused.Method.Group, limits, cancellationToken)
                .ConfigureAwait(false);
            next = refused.After(bindResults, Address, out var reason);
            if (reason is not null)
                throw reason;
        }

        if (next is null)
            return !ReferenceEquals(FormOf(refused.Method), refused);
        // Another call may have found the form at the same time.
        _forms.TryUpdate(refused.Method, next, refused);
        return true;
    }

    private async Task<BindResults> BindAsync(
        MethodGroup group, Limits limits, CancellationToken cancellationToken)
    {
        var body = new WireBuffer(512, int.MaxValue);
        group.Manifest.Write(body);
        var message =
            UnaryMessage.Create(new EnvelopeHeader { Kind = EnvelopeKind.Bind }, body.WrittenSpan);
        body.Reset();
        var answer = await SendAsync(GrpcMessage.Of(message), limits, cancellationToken)
            .ConfigureAwait(false);
        return ReadBindResults(answer);
    }

    private static BindResults ReadBindResults(GrpcMessage answer)
    {
        var batch = BatchHead.Open(answer.ReadPayload().Span, out _);
        var envelope = Envelope.Read(ref batch);
        return envelope.Kind == EnvelopeKind.Bound
            ? BindResults.Read(envelope.Body)
            : throw new WireException($"unary bind: answered by {envelope.Kind}.");
    }

    private void Restart(ulong callId, OutgoingCall call)
    {
        if (_pending.TryRemove(callId, call) is null)
            return;
        call.BeginSending();
        var result = TryStart(call);
        if (result != StartResult.Started)
        {
            call.FinishWithFailure(result == StartResult.NotConnected
                ? GlueErrors.Disposed(Address)
                : GlueErrors.LimitUntilDeadline(
                    call.Method.Contract, Address, GlueErrorCode.CallsInFlightLimit, "MaxCallsInFlight"));
        }

        call.EndSending();
    }

    /// <summary>Gives a call its answer. True: this thread must conclude the call.</summary>
    private bool Finish(ulong callId, OutgoingCall call, ReadOnlySpan<byte> payload)
    {
        var batch = BatchHead.Open(payload, out _);
        if (batch.AtEnd)
        {
            _pending.TryRemove(callId, call)?.FinishWithoutAnswer();
            return false;
        }

        var envelope = Envelope.Read(ref batch);
        if (envelope.Kind is not (EnvelopeKind.Reply or EnvelopeKind.Fault) || !batch.AtEnd)
            throw new WireException("unary call: the answer is not exactly one answer envelope.");
        if (_pending.TryRemove(callId, call) is not { } mine)
            return false;
        mine.SetReplyHeaders(envelope.Headers);
        return mine.TakeAnswer(envelope.Kind, envelope.Body);
    }

    private async ValueTask<GlueException> ExplainAsync(
        Exception exception, UnaryFailures failures, bool isLate)
    {
        if (exception is RpcException { StatusCode: StatusCode.DeadlineExceeded, Status.Detail: "" })
            return failures.Late();
        if (exception is RpcException failure)
            exception = GrpcFailures.Of(failure);
        if (exception is OperationCanceledException)
        {
            if (isLate)
                return failures.Late();
            if (_disposal.IsCancellationRequested)
                return GlueErrors.Disposed(Address);
            exception = new TimeoutException(
                $"no connection within ConnectTimeout ({_settings.ConnectTimeout.TotalSeconds:0.##} s)", exception);
        }

        // A server that has answered once speaks HTTP/2.
        var mayBeStranger = !Volatile.Read(ref _hasAnswered) && PeerProbe.MayExplain(exception);
        return mayBeStranger && await _probe.FindAsync().ConfigureAwait(false) is { } found
            ? failures.NotConnected(found, exception)
            : failures.Explain(exception);
    }
}
