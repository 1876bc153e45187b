using Cluster.Glue.Authorization;
using Cluster.Glue.Catalog;
using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.Filters;
using Cluster.Glue.Serving;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Microsoft.AspNetCore.Http;

namespace Cluster.Glue.Endpoints;

/// <summary>One unary request: a batch with one request envelope that names its method, answered by a batch with one
/// answer envelope, or with none after a one-way call. Lives for the request; the answer is handed over through a task
/// source.</summary>
internal sealed class UnaryExchange(ServerRuntime server, HttpContext context, ReceivedRequest received) : IReplySink
{
    private readonly TaskCompletionSource<ReadOnlyMemory<byte>> _answer =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    public NodeId Peer => default;

    public bool IsPeer => false;

    public CallerIdentity Caller => received.Caller;

    public References.ReferenceTable? References => null;

    public GlueBinding Binding => GlueBinding.Unary;

    public int AnswerBytesMax { get; } = MessageLimitOf(server, context) - GlueWire.EnvelopeHeaderBytesMax;

    public void Answer(ulong callId, EnvelopeKind kind, WireBuffer body, ReadOnlyMemory<byte> headers = default)
    {
        if (kind == EnvelopeKind.Fault && CallRefusal.In(body.WrittenSpan) is { } refusal)
            _answer.TrySetException(refusal);
        else
            _answer.TrySetResult(UnaryMessage.Create(
                new EnvelopeHeader { Kind = kind, CallId = callId, Headers = headers }, body.WrittenSpan));
    }

    public void Ended(IncomingCall call)
    {
        server.Unary.Ended(call);
        received.GiveBackServer();
        // After the answer of a two-way call this changes nothing.
        _answer.TrySetResult(UnaryMessage.Empty);
    }

    /// <summary>Runs the request and returns its answer.</summary>
    /// <exception cref="WireException">It breaks the protocol.</exception>
    public async Task<ReadOnlyMemory<byte>> RunAsync(GrpcMessage request)
    {
        var isOneWay = false;
        GlueCall? running = null;
        try
        {
            isOneWay = Begin(request.ReadPayload().Span, out running);
        }
        finally
        {
            request.GiveBack();
            // A one-way call keeps its bytes of the server's budget until it ends.
            if (!isOneWay)
                received.GiveBackServer();
        }

        return isOneWay ? UnaryMessage.Empty : await WaitForAnswerAsync(running).ConfigureAwait(false);
    }

    private static int MessageLimitOf(ServerRuntime server, HttpContext context)
    {
        string? text = context.Request.Headers[GlueWire.MessageLimitHeader];
        if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var limit))
            limit = GlueLimits.MaxMessageBytes;
        return Math.Clamp(limit, GlueLimits.MessageBytesLowest, server.Settings.MaxMessageBytes);
    }

    private bool Begin(ReadOnlySpan<byte> payload, out GlueCall? running)
    {
        var reader = BatchHead.Open(payload, out _);
        var envelope = Envelope.Read(ref reader);
        running = null;
        if (envelope.Kind == EnvelopeKind.Bind && reader.AtEnd)
        {
            Bind(BindRequest.Read(envelope.Body));
            return false;
        }

        if (envelope.Kind is not (EnvelopeKind.Call or EnvelopeKind.OneWay) || !envelope.IsNamed || !reader.AtEnd)
            throw new WireException("unary call: the request is not exactly one request envelope with a named method.");
        var isOneWay = envelope.Kind == EnvelopeKind.OneWay;
        var bindResult = server.Host.Catalog.Judge(envelope, PeerAccess.Unary);
        var refusal = bindResult.Method is null ? bindResult.ToException() : RefusalNow(isOneWay);
        if (refusal is not null)
        {
            server.Host.Metrics.CountRefusedCall(bindResult.Method?.Contract.RpcName, refusal.Code);
            _answer.TrySetResult(AnswerOf(refusal, envelope.CallId));
            return false;
        }

        if (!isOneWay)
            received.GiveBackServer();
        var time = CallDeadline.FromWire(envelope.RemainingMilliseconds, server.Settings.Deadline);
        var now = server.Settings.Time.GetTimestamp();
        // The header counts from the time at which the request was sent. The shorter time counts.
        if (received.TimeLeft(now) is { } left && left < time)
            time = left;
        var call = server.Host.Calls.Rent();
        var deadline = CallDeadline.After(server.Settings.Time, now, time);
        call.Begin(this, bindResult.Method!, envelope.CallId, isOneWay, deadline);
        call.ArrivedAt = now;
        call.Line = envelope.Line;
        call.SetHeaders(envelope.Headers);
        call.SetArguments(envelope.Body);
        running = call.Context;
        if (envelope.Chain != 0)
            call.Context.Chain = new CallChain(0, envelope.Chain);
        if (server.Unary.TryQueue(call))
            return isOneWay;
        // A request has its own pool thread. But the answer to a one-way call does not wait for the method, and a
        // method with a cancellation token must be registered before it may block the thread.
        if (isOneWay || bindResult.Method!.Contract.TokenIndex >= 0 || call.HasInstance)
            call.Schedule(preferLocal: true);
        else
            call.ExecuteApart();
        return isOneWay;
    }

    private void Bind(BindRequest request)
    {
        var body = new WireBuffer(256, int.MaxValue);
        BindResult.ToBindResults(request.FirstHandle, server.Host.Catalog.Judge(request, PeerAccess.Unary)).Write(body);
        Answer(0, EnvelopeKind.Bound, body);
        body.Reset();
    }

    private GlueException? RefusalNow(bool isOneWay)
    {
        if (server.IsDraining)
        {
            return GlueErrors.NotDelivered(
                GlueErrorKind.Unreachable, GlueErrorCode.Draining, "The server is stopping and takes no new calls.");
        }

        return isOneWay && server.Unary.IsFull
            ? GlueErrors.NotDelivered(
                GlueErrorKind.Overloaded,
                GlueErrorCode.ServerOverloaded,
                $"{server.Settings.MaxQueuedOneWayCalls} one-way calls wait or run on the server "
                + "(MaxQueuedOneWayCalls).")
            : null;
    }

    /// <summary>The answer to a call that was refused.</summary>
    public static ReadOnlyMemory<byte> AnswerOf(GlueException refusal, ulong callId = 0)
    {
        var body = new WireBuffer(256, int.MaxValue);
        FaultCodec.WriteGlue(body, refusal);
        var answer = UnaryMessage.Create(
            new EnvelopeHeader { Kind = EnvelopeKind.Fault, CallId = callId }, body.WrittenSpan);
        body.Reset();
        return answer;
    }

    private async Task<ReadOnlyMemory<byte>> WaitForAnswerAsync(GlueCall? running)
    {
        if (running is null || _answer.Task.IsCompleted)
            return await _answer.Task.ConfigureAwait(false);
        await using var abort = context.RequestAborted
            .UnsafeRegister(static call => ((GlueCall)call!).Cancel(), running).ConfigureAwait(false);
        var left = running.Remaining;
        await using var deadline = server.Settings.Time.CreateTimer(
            static call => ((GlueCall)call!).Expire(),
            running,
            left > TimeSpan.Zero ? left : TimeSpan.Zero,
            Timeout.InfiniteTimeSpan).ConfigureAwait(false);
        var answer = await _answer.Task.ConfigureAwait(false);
        // A caller that has given up does not read the answer, so it is counted here.
        if (running.IsCancelled)
            server.Host.Metrics.CountLateReply();
        return answer;
    }
}
