using System.Runtime.CompilerServices;
using Cluster.Contracts;
using Cluster.Glue.Hosting;
using Cluster.Glue.Links;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Microsoft.AspNetCore.Http;

namespace Cluster.Glue.Serving;

/// <summary>
/// Answers the HTTP requests of Glue's gRPC service: links, unary calls, and refusals of everything else with a
/// status and a reason. One per server; what it counts protects itself.
/// </summary>
internal sealed class GlueEndpoint(ServerRuntime server)
{
    private readonly HandshakeGate _gate = new(server.Settings);

    public async Task HandleAsync(HttpContext context)
    {
        GrpcStatusException? status;
        try
        {
            status = CheckRequest(context.Request) ?? CheckEncoding(context) ?? CheckConnection(context);
            if (status is null)
                status = await DispatchAsync(context).ConfigureAwait(false);
        }
        catch (GrpcStatusException refusal)
        {
            status = refusal;
        }
        catch (WireException violation)
        {
            status = new GrpcStatusException(GrpcStatus.InvalidArgument, violation.Message);
        }
        catch (BadHttpRequestException violation)
        {
            // Kestrel's own limits, where Glue is mapped into a host's endpoints.
            status = new GrpcStatusException(GrpcStatus.ResourceExhausted, violation.Message);
        }
        catch (Exception exception) when (HasPeerGone(context, exception))
        {
            // There is nobody to answer, and nothing that may pass for an answer.
            context.Abort();
            return;
        }

        if (status is not null)
        {
            LogRefusal(AddressOf(context), status.Message);
            // A call that has begun ends with an answer, not with a status.
            if (!context.Response.HasStarted)
                context.Response.Headers[GlueWire.NotStartedHeader] = "1";
        }

        GrpcServerResponse.End(context, status);
    }

    // Reading and writing fail before the request counts as aborted. User code never runs under this handler, so
    // nobody else's failures are hidden.
    private static bool HasPeerGone(HttpContext context, Exception exception)
        => exception is IOException or OperationCanceledException || context.RequestAborted.IsCancellationRequested;

    // A peer cannot know that this server stops before it is told; that is no reason to warn.
    private void LogRefusal(string address, string reason)
    {
        if (server.IsDraining)
            server.Log.LinkCameTooLate(address, reason);
        else
            server.Log.LinkRefused(address, reason);
    }

    private static GrpcStatusException? CheckRequest(HttpRequest request)
    {
        if (!HttpProtocol.IsHttp2(request.Protocol))
            return new GrpcStatusException(GrpcStatus.FailedPrecondition, $"{request.Protocol} is not HTTP/2");
        if (!HttpMethods.IsPost(request.Method))
            return new GrpcStatusException(GrpcStatus.Unimplemented, $"{request.Method} was used, gRPC needs POST");
        bool isGrpc = request.ContentType?.StartsWith(GlueWire.ContentType, StringComparison.OrdinalIgnoreCase) == true;
        return isGrpc
            ? null
            : new GrpcStatusException(
                GrpcStatus.InvalidArgument, $"content type '{request.ContentType}', expected {GlueWire.ContentType}");
    }

    private static GrpcStatusException? CheckConnection(HttpContext context)
        => context.Features.Get<ConnectionBound.Excess>() is { } excess
            ? new GrpcStatusException(GrpcStatus.ResourceExhausted, excess.Reason)
            : null;

    private static GrpcStatusException? CheckEncoding(HttpContext context)
    {
        string? encoding = context.Request.Headers.GrpcEncoding;
        if (GrpcEncoding.IsKnown(encoding))
            return null;
        context.Response.Headers.GrpcAcceptEncoding = GrpcEncoding.Accepted;
        return new GrpcStatusException(
            GrpcStatus.Unimplemented, $"messages compressed with '{encoding}', Glue reads {GrpcEncoding.Accepted}");
    }

    private async Task<GrpcStatusException?> DispatchAsync(HttpContext context)
    {
        switch (context.Request.Path.Value)
        {
            case GlueWire.LinkPath:
                return await ServeLinkAsync(context).ConfigureAwait(false);
            case GlueWire.CallPath when IsPeersOnly(context):
                return Handshake.Unproven(
                    "this address is for authenticated peers only (PeerListenAddress), and a request of its own proves "
                    + "nothing: use Transport Link, or the address for everybody");
            case GlueWire.CallPath:
                var received = new ReceivedBody(context, server);
                await using (received.ConfigureAwait(false))
                    await new UnaryExchange(server, context, received).RunAsync().ConfigureAwait(false);
                return null;
            default:
                return new GrpcStatusException(
                    GrpcStatus.Unimplemented, $"{context.Request.Path} is not a method of Glue");
        }
    }

    private async Task<GrpcStatusException?> ServeLinkAsync(HttpContext context)
    {
        if (server.IsDraining)
            return new GrpcStatusException(GrpcStatus.Unavailable, "the server is stopping");
        // Before a byte of it is read.
        HandshakePlace? place = _gate.TryEnter(
            context.Connection.RemoteIpAddress,
            ClientConnection.Of(context, server.Settings),
            out GrpcStatusException? refusal);
        if (place is null)
            return refusal;
        ServerMessageStream stream = await AcceptAsync(context, place).ConfigureAwait(false);
        await using ConfiguredAsyncDisposable ending = stream.ConfigureAwait(false);
        (Link link, JoinRequest? join) = await ShakeHandsAsync(stream, context, place)
            .ConfigureAwait(false);
        if (join is null)
            await LinkAcceptor.CarryAsync(link, stream).ConfigureAwait(false);
        else
            await CarryAsync(link, stream, join).ConfigureAwait(false);
        return link.EndCause is { Code: GlueErrorCode.ProtocolViolation } cause
            ? new GrpcStatusException(GrpcStatus.InvalidArgument, cause.InnerException?.Message ?? cause.Message)
            : null;
    }

    private async Task<ServerMessageStream> AcceptAsync(HttpContext context, HandshakePlace place)
    {
        try
        {
            return await ServerMessageStream.AcceptAsync(context, server.Settings.Compression).ConfigureAwait(false);
        }
        catch
        {
            _gate.Leave(place);
            throw;
        }
    }

    private async Task<(Link Link, JoinRequest? Join)> ShakeHandsAsync(
        ServerMessageStream stream, HttpContext context, HandshakePlace place)
    {
        try
        {
            var origin = new LinkOrigin(AddressOf(context), IsPeersOnly(context));
            return await new AcceptedHandshake(server, stream, origin)
                .RunAsync(place.Taken, context.RequestAborted).ConfigureAwait(false);
        }
        finally
        {
            _gate.Leave(place);
        }
    }

    private static Task CarryAsync(Link link, ServerMessageStream stream, JoinRequest join)
        => link.CarryAsync(link.LaneOf(join.Lane), stream, async receivedCount =>
        {
            await Handshake.AnswerJoinAsync(stream, link.Settings, join, receivedCount).ConfigureAwait(false);
            return join.ReceivedCount;
        });

    private static bool IsPeersOnly(HttpContext context) => context.Features.Get<PeerEntrance>() is not null;

    private static string AddressOf(HttpContext context)
        => $"{context.Connection.RemoteIpAddress}:{context.Connection.RemotePort}";
}
