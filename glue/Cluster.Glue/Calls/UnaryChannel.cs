using System.Globalization;
using System.Net.Http.Headers;
using Cluster.Contracts;
using Cluster.Glue.Links;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Calls;

/// <summary>
/// The channel to one <c>http://</c> address with one HTTP/2 request per call. HttpClient's pool keeps the
/// connections; the pending table decides who finishes a call and protects itself.
/// </summary>
internal sealed class UnaryChannel : ICallChannel, ICallCanceller, IAsyncDisposable
{
    private readonly ClientSettings _settings;
    private readonly Uri _target;
    private readonly HttpMessageInvoker _invoker;
    private readonly PendingCalls _pending;
    private readonly string _messageLimit;
    private readonly CancellationTokenSource _disposal = new();

    public UnaryChannel(string address, Uri uri, ClientSettings settings)
    {
        Address = address;
        _settings = settings;
        _target = new Uri(uri, GlueWire.CallPath);
        _invoker = GrpcRequest.CreateInvoker(settings.ConnectTimeout, manyConnections: true, settings.WindowBytes);
        _pending = new PendingCalls(settings.CallsInFlightMax);
        _messageLimit = settings.MessageBytesMax.ToString(CultureInfo.InvariantCulture);
    }

    public string Address { get; }

    public StartResult TryStart(OutgoingCall call)
    {
        if (call.Arguments.Length > _settings.MessageBytesMax - GlueWire.EnvelopeHeaderBytesMax)
        {
            call.FinishWithFailure(
                GlueErrors.ArgumentsTooLarge(call.Method.Contract, call.Arguments.Length, _settings.MessageBytesMax));
            return StartResult.Started;
        }

        StartResult added = _pending.TryAdd(call, out ulong callId);
        if (added != StartResult.Started)
            return added;
        var header = new EnvelopeHeader
        {
            Kind = call.Method.Contract.IsOneWay ? EnvelopeKind.OneWay : EnvelopeKind.Call,
            CallId = callId,
            ContractHash = call.Method.Owner.Description.NameHash,
            Method = call.Method.Contract.SignatureHash,
            LayoutFingerprint = call.Method.LayoutFingerprint,
            IsNamed = true,
            Headers = TypeArgumentNames.ToHeaders(call.Method.TypeArguments),
            RemainingMilliseconds = CallDeadline.ToWire(call.Remaining),
        };
        ReadOnlyMemory<byte> message = UnaryMessage.Create(header, call.Arguments);
        call.SetCarrier(this, callId);
        _ = RunAsync(call, callId, message, call.Method.Contract, new Limits(call.Remaining, call.Token));
        call.CheckCancelled();
        return StartResult.Started;
    }

    /// <summary>
    /// What ends a request early; copied, because the call may be reused before the request has ended.
    /// </summary>
    private readonly record struct Limits(TimeSpan Remaining, CancellationToken Token);

    public async ValueTask StartAsync(OutgoingCall call)
    {
        while (true)
        {
            StartResult result = TryStart(call);
            if (result == StartResult.Started)
                return;
            if (result == StartResult.NotConnected)
                throw GlueErrors.Disposed(Address);
            try
            {
                TimeSpan left = call.Remaining;
                if (left <= TimeSpan.Zero)
                    throw new TimeoutException();
                await _pending.WaitForRoomAsync(left, _settings.Time, call.Token);
            }
            catch (TimeoutException)
            {
                throw GlueErrors.LimitUntilDeadline(
                    call.Method.Contract, GlueErrorCode.CallsInFlightLimit, "CallsInFlightMax");
            }
        }
    }

    /// <summary>The request itself is ended by its own registration on the same token.</summary>
    public bool TryCancel(ulong callId, OutgoingCall call) => _pending.TryRemove(callId, call) is not null;

    public async ValueTask DisposeAsync()
    {
        await _disposal.CancelAsync();
        GlueException failure = GlueErrors.LinkLost(
            Address, GlueErrorCode.ClientDisposed, "the client was disposed", null);
        foreach (OutgoingCall call in _pending.Close())
            call.FinishWithFailure(failure);
        _invoker.Dispose();
    }

    private async Task RunAsync(
        OutgoingCall call, ulong callId, ReadOnlyMemory<byte> message, Contracts.ContractMethod method, Limits limits)
    {
        using var deadline = new CancellationTokenSource(
            limits.Remaining > TimeSpan.Zero ? limits.Remaining : TimeSpan.Zero, _settings.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(
            deadline.Token, limits.Token, _disposal.Token);
        using var reader = new GrpcMessageReader { BytesMax = _settings.MessageBytesMax };
        try
        {
            using HttpRequestMessage request = GrpcRequest.Create(_target, ContentOf(message));
            request.Headers.Add(GlueWire.MessageLimitHeader, _messageLimit);
            using HttpResponseMessage response = await _invoker.SendAsync(request, either.Token).ConfigureAwait(false);
            GrpcResponse.CheckHeaders(response);
            Stream input = await response.Content.ReadAsStreamAsync(either.Token).ConfigureAwait(false);
            ReadOnlyMemory<byte> answer = await reader.ReadAsync(input, either.Token).ConfigureAwait(false)
                ?? throw GrpcResponse.ReadEnd(response)
                    ?? new GrpcStatusException(GrpcStatus.Unknown, "no answer came");
            Finish(callId, call, answer.Span);
        }
        catch (Exception exception)
        {
            if (_pending.TryRemove(callId, call) is not null)
                call.FinishWithFailure(Explain(exception, method, deadline.IsCancellationRequested));
        }
    }

    private static ReadOnlyMemoryContent ContentOf(ReadOnlyMemory<byte> message)
    {
        var content = new ReadOnlyMemoryContent(message);
        content.Headers.ContentType = new MediaTypeHeaderValue(GlueWire.ContentType);
        return content;
    }

    private static bool IsConnectFailure(HttpRequestException exception)
        => exception.HttpRequestError is HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError;

    private static bool IsRefusal(GrpcStatusException exception)
        => exception.Status is GrpcStatus.Unimplemented or GrpcStatus.FailedPrecondition;

    private void Finish(ulong callId, OutgoingCall call, ReadOnlySpan<byte> payload)
    {
        WireReader batch = BatchHead.Open(payload, out _);
        if (batch.AtEnd)
        {
            _pending.TryRemove(callId, call)?.FinishWithoutAnswer();
            return;
        }

        Envelope envelope = Envelope.Read(ref batch);
        if (envelope.Kind is not (EnvelopeKind.Reply or EnvelopeKind.Fault) || !batch.AtEnd)
            throw new WireException("unary call: the answer is not exactly one answer envelope.");
        _pending.TryRemove(callId, call)?.FinishWithAnswer(envelope.Kind, envelope.Body);
    }

    private GlueException Explain(Exception exception, Contracts.ContractMethod method, bool isLate) => exception switch
    {
        OperationCanceledException when isLate => GlueErrors.DeadlineAwaitingReply(method, Address),
        OperationCanceledException => GlueErrors.Disposed(Address),
        HttpRequestException request when IsConnectFailure(request) => GlueErrors.NotDelivered(
            GlueErrorKind.Unreachable,
            GlueErrorCode.ConnectFailed,
            $"{Address} cannot be reached: {exception.Message}",
            exception),
        GrpcStatusException status when IsRefusal(status) => GlueErrors.NotDelivered(
            GlueErrorKind.Refused,
            GlueErrorCode.HandshakeRefused,
            $"{Address} refused the call: {exception.Message}",
            exception),
        WireException => GlueErrors.LinkLost(Address, GlueErrorCode.ProtocolViolation, exception.Message, exception),
        _ => GlueErrors.LinkLost(Address, GlueErrorCode.LinkLost, exception.Message, exception),
    };
}
