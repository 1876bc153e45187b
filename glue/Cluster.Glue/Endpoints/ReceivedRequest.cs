using System.IO.Pipelines;
using Cluster.Glue.Authorization;
using Cluster.Glue.Faults;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Sessions;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Cluster.Glue.Endpoints;

/// <summary>One unary request while it is received: waits until it is complete before gRPC reads it, counts its bytes
/// against the budgets of its connection and of the server, and ends the wait at its time limit. A feature of its
/// request. For one reader.</summary>
internal sealed class ReceivedRequest(
    HttpContext context, ServerRuntime server, ByteBudget connection, CallerIdentity caller)
{
    private readonly long _arrivedAt = server.Settings.Time.GetTimestamp();
    private readonly TimeSpan? _timeout = GrpcTimeout.FromHeader(context.Request.Headers[GrpcTimeout.Header]);
    private volatile bool _isLate;
    private long _connectionBytes;
    private long _serverBytes;

    /// <summary>The sender of the request.</summary>
    public CallerIdentity Caller { get; } = caller;

    /// <summary>Whether the method has taken the request over. The method then returns the counted bytes when it no
    /// longer needs them.</summary>
    public bool IsTaken { get; set; }

    /// <summary>Receives the request.</summary>
    /// <exception cref="GlueException">It comes too late, or is too large.</exception>
    /// <exception cref="GrpcStatusException">Its own time is over.</exception>
    /// <exception cref="WireException">It is not exactly one valid message.</exception>
    public async ValueTask ReceiveAsync()
    {
        // Glue enforces the header by its own clock, and answers with its own messages.
        context.Request.Headers.Remove(GrpcTimeout.Header);
        // The budgets bound the request, with errors of their own; Kestrel's limit would only break the connection.
        if (context.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } size)
            size.MaxRequestBodySize = null;
        var body = context.Request.BodyReader;
        ITimer? timer = null;
        try
        {
            while (true)
            {
                var reading = body.ReadAsync();
                if (!reading.IsCompleted && timer is null)
                    timer = StartTimer(body);
                if (TakeIn(body, await reading.ConfigureAwait(false)))
                    break;
            }
        }
        finally
        {
            if (timer is not null)
                await timer.DisposeAsync().ConfigureAwait(false);
        }

        // Its time was over at the moment at which it was complete: gRPC would find its reading cancelled.
        if (_isLate)
            throw TooLate(_connectionBytes);
    }

    /// <summary>The rest of the time that the request's header gives; null: it gives none.</summary>
    public TimeSpan? TimeLeft(long now)
    {
        if (_timeout is not { } timeout)
            return null;
        var left = timeout - server.Settings.Time.GetElapsedTime(_arrivedAt, now);
        return left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }

    /// <summary>The request is complete: its connection may receive others.</summary>
    public void GiveBackConnection() => connection.GiveBack(Interlocked.Exchange(ref _connectionBytes, 0));

    /// <summary>Returns the bytes to the server's budget, because no code holds the request any more.
    /// Idempotent.</summary>
    public void GiveBackServer() => server.Receiving.GiveBack(Interlocked.Exchange(ref _serverBytes, 0));

    private ITimer StartTimer(PipeReader body)
    {
        var limit = server.Settings.RequestReceiveTimeout;
        return server.Settings.Time.CreateTimer(
            static state =>
            {
                (var request, var body) = ((ReceivedRequest, PipeReader))state!;
                request._isLate = true;
                body.CancelPendingRead();
            },
            (this, body),
            _timeout < limit ? _timeout.Value : limit,
            Timeout.InfiniteTimeSpan);
    }

    /// <summary>Whether all of the request has arrived. It stays in the pipe, for gRPC to read.</summary>
    private bool TakeIn(PipeReader body, in ReadResult read)
    {
        var received = read.Buffer;
        try
        {
            if (_isLate)
                throw TooLate(received.Length);
            var isWhole = Judge(received, read.IsCompleted);
            Count(received.Length - _connectionBytes);
            return isWhole;
        }
        finally
        {
            // The pipe returns a completed body again, although all of it was examined.
            body.AdvanceTo(received.Start, received.End);
        }
    }

    private bool Judge(in ReadOnlySequence<byte> received, bool isCompleted)
    {
        var isGzip = context.Request.Headers.GrpcEncoding == GzipProvider.Name;
        var length = GrpcFrame.LengthOf(received, server.Settings.MaxMessageBytes, isGzip);
        if (received.Length > length)
            throw new WireException("unary call: more follows the message of the request.");
        if (!isCompleted)
            return false;
        if (received.IsEmpty)
            throw new WireException("unary call: the request has no message.");
        return received.Length == length ? true : throw GrpcFrame.CutShort(received.Length);
    }

    private void Count(long bytes)
    {
        if (!connection.TryTake(bytes))
            throw TooMuch(connection, "connection");
        _connectionBytes += bytes;
        if (!server.Receiving.TryTake(bytes))
            throw TooMuch(server.Receiving, "server");
        _serverBytes += bytes;
    }

    private Exception TooLate(long receivedBytes)
    {
        var limit = server.Settings.RequestReceiveTimeout;
        if (_timeout < limit)
        {
            return new GrpcStatusException(
                StatusCode.DeadlineExceeded,
                $"the request was not complete within its grpc-timeout ({_timeout.Value.TotalSeconds:0.###} s)");
        }

        return GlueErrors.NotDelivered(
            GlueErrorKind.Deadline,
            GlueErrorCode.DeadlineOnServer,
            $"The request has not arrived within RequestReceiveTimeout of the server ({limit.TotalSeconds:0.##} s); "
            + $"{receivedBytes} bytes came.");
    }

    private static GlueException TooMuch(ByteBudget budget, string whose) => GlueErrors.NotDelivered(
        GlueErrorKind.Overloaded,
        GlueErrorCode.ServerOverloaded,
        $"The requests that this {whose} is receiving have more than {budget.BytesMax} bytes together "
        + $"({budget.Option} of the server); the request was given up.");
}
