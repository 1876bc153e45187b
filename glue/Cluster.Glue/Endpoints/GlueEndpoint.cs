using Cluster.Glue.Authorization;
using Cluster.Glue.Sessions;
using Cluster.Glue.Tls;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace Cluster.Glue.Endpoints;

/// <summary>Runs before gRPC's handlers of Glue's methods: receives unary requests within their bounds, serves the
/// streams of links, and refuses other requests with a status and a reason. One per server; its counters protect
/// themselves.</summary>
internal sealed class GlueEndpoint(ServerRuntime server)
{
    private readonly HandshakeGate _gate = new(server.Settings);

    /// <summary>Lets a request of Glue's service through to gRPC, or refuses it.</summary>
    /// <param name="context">The context of the request.</param>
    /// <param name="next">gRPC's own handler of the method.</param>
    public async Task HandleAsync(HttpContext context, RequestDelegate next)
    {
        Exception? refusal;
        ReceivedRequest? received = null;
        try
        {
            var connection = ClientConnection.Of(context, server.Settings);
            refusal = CheckEncoding(context) ?? CheckConnection(connection);
            if (refusal is null && context.Request.Path == GlueWire.CallPath)
            {
                refusal = CheckEntrance(connection);
                if (refusal is null)
                    received = await ReceiveCallAsync(context, connection).ConfigureAwait(false);
            }
        }
        catch (Exception reason) when (reason is GlueException || StatusOf(reason) is not null)
        {
            refusal = StatusOf(reason) ?? reason;
        }
        catch (Exception exception) when (HasPeerGone(context, exception))
        {
            // The peer cannot read an answer, and nothing may look like one.
            context.Abort();
            return;
        }

        // gRPC logs the names that a stranger sends for unknown methods.
        if (context.Request.RouteValues.Count > 0)
            CleanNames(context.Request.RouteValues);
        if (refusal is not null)
        {
            RefusedRequest.Set(context, refusal);
            LogRefusal(context, refusal.Message);
        }

        try
        {
            await next(context).ConfigureAwait(false);
        }
        finally
        {
            // gRPC has refused the request before the method, for instance because it cannot be decompressed.
            if (received is { IsTaken: false })
                received.GiveBackServer();
        }
    }

    /// <summary>Serves a stream until it ends.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="context">The context of its request.</param>
    /// <param name="accept">Sends the headers of the response, which peers wait for.</param>
    /// <returns>The status to end with; null is OK.</returns>
    public async Task<GrpcStatusException?> ServeLinkAsync(
        GrpcServerStream stream, HttpContext context, Func<Task> accept)
    {
        GrpcStatusException? status;
        try
        {
            status = await CarryLinkAsync(stream, context, accept).ConfigureAwait(false);
        }
        catch (Exception reason) when (StatusOf(reason) is not null)
        {
            status = StatusOf(reason);
        }
        catch (Exception exception) when (HasPeerGone(context, exception))
        {
            context.Abort();
            return null;
        }

        if (status is not null)
            LogRefusal(context, status.Message);
        return status;
    }

    // The status for a failure that the peer has caused; null: none.
    private static GrpcStatusException? StatusOf(Exception reason) => reason switch
    {
        GrpcStatusException status => status,
        WireException violation => new GrpcStatusException(StatusCode.InvalidArgument, violation.Message),
        _ => null,
    };

    // Reading and writing fail before the request counts as aborted. User code never runs under this handler, so it
    // hides no other failures.
    private static bool HasPeerGone(HttpContext context, Exception exception) =>
        exception is IOException or OperationCanceledException || context.RequestAborted.IsCancellationRequested;

    // A peer cannot know that this server stops before it is told, so this is no reason for a warning.
    public void LogRefusal(HttpContext context, string reason)
    {
        var address = AddressOf(context);
        if (server.IsDraining)
            server.Log.LinkCameTooLate(address, reason);
        else
            server.Log.LinkRefused(address, reason);
    }

    private GrpcStatusException? CheckConnection(ClientConnection connection)
    {
        if (connection.Refusal is { } refusal)
            return new GrpcStatusException(StatusCode.ResourceExhausted, refusal);
        if (connection.Shown is not { Problem: { } problem } shown)
            return null;
        // The client need not show a certificate where none is required.
        if (shown.Certificate is null && server.Settings.Tls?.ClientCertificate != GlueClientCertificate.Required)
            return null;
        server.Host.Metrics.CountRefusedCertificate();
        return new GrpcStatusException(StatusCode.Unauthenticated, problem);
    }

    private static void CleanNames(RouteValueDictionary names)
    {
        foreach ((var key, var name) in names.ToArray())
            names[key] = LogText.Clean($"{name}");
    }

    private static GrpcStatusException? CheckEntrance(ClientConnection connection) =>
        connection.IsPeersOnly
            ? Handshake.Unproven(
                "this address is for authenticated peers only (PeerListenAddress), and a request of its own proves "
                + "nothing: use Transport Link, or the address for everybody")
            : null;

    private static GrpcStatusException? CheckEncoding(HttpContext context)
    {
        string? encoding = context.Request.Headers.GrpcEncoding;
        if (GrpcEncoding.IsKnown(encoding))
            return null;
        context.Response.Headers.GrpcAcceptEncoding = GrpcEncoding.Accepted;
        return new GrpcStatusException(
            StatusCode.Unimplemented, $"messages compressed with '{encoding}', Glue reads {GrpcEncoding.Accepted}");
    }

    private async ValueTask<ReceivedRequest> ReceiveCallAsync(HttpContext context, ClientConnection connection)
    {
        var caller = await server.Host.Callers.IdentifyAsync(context, connection.Shown).ConfigureAwait(false);
        var received = new ReceivedRequest(context, server, connection.Receiving, caller);
        try
        {
            await received.ReceiveAsync().ConfigureAwait(false);
        }
        catch
        {
            received.GiveBackServer();
            throw;
        }
        finally
        {
            received.GiveBackConnection();
        }

        context.Features.Set(received);
        return received;
    }

    private async Task<GrpcStatusException?> CarryLinkAsync(
        GrpcServerStream stream, HttpContext context, Func<Task> accept)
    {
        if (server.IsDraining)
            return new GrpcStatusException(StatusCode.Unavailable, "the server is stopping");
        // Before any byte of the stream is read.
        var connection = ClientConnection.Of(context, server.Settings);
        var place = _gate.TryEnter(
            context.Connection.RemoteIpAddress, connection, out var refusal);
        if (place is null)
            return refusal;
        (var link, var join) =
            await ShakeHandsAsync(stream, context, connection, place, accept).ConfigureAwait(false);
        if (join is null)
            await LinkAcceptor.CarryAsync(link, stream).ConfigureAwait(false);
        else
            await CarryAsync(link, stream, join).ConfigureAwait(false);
        return link.EndCause is { Code: GlueErrorCode.ProtocolViolation } cause
            ? new GrpcStatusException(StatusCode.InvalidArgument, cause.InnerException?.Message ?? cause.Message)
            : null;
    }

    private async Task<(Link Link, JoinRequest? Join)> ShakeHandsAsync(
        GrpcServerStream stream,
        HttpContext context,
        ClientConnection connection,
        HandshakePlace place,
        Func<Task> accept)
    {
        var caller = Task.FromResult(CallerIdentity.Nobody);
        try
        {
            await accept().ConfigureAwait(false);
            caller = server.Host.Callers.IdentifyAsync(context, connection.Shown).AsTask();
            var origin = new LinkOrigin(AddressOf(context), connection.IsPeersOnly, caller);
            return await new AcceptedHandshake(server, stream, origin)
                .RunAsync(place.Taken, context.RequestAborted).ConfigureAwait(false);
        }
        finally
        {
            // The host's authentication reads the context, which serves another request after this one.
            await ((Task)caller).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            _gate.Leave(place);
        }
    }

    private static Task CarryAsync(Link link, GrpcServerStream stream, JoinRequest join) =>
        link.CarryAsync(link.SubstreamOf(join.Substream), stream, async receivedCount =>
        {
            await Handshake.AnswerJoinAsync(stream, link.Settings, join, receivedCount).ConfigureAwait(false);
            return join.ReceivedCount;
        });

    private static string AddressOf(HttpContext context) =>
        $"{context.Connection.RemoteIpAddress}:{context.Connection.RemotePort}";
}
