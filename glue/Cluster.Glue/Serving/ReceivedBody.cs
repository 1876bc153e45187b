using Cluster.Contracts;
using Cluster.Glue.Calls;
using Cluster.Glue.Transport;
using Microsoft.AspNetCore.Http;

namespace Cluster.Glue.Serving;

/// <summary>
/// The body of one request while it is received: counts its bytes against the budgets of its connection and of the
/// server, and ends the reading when its time is over. For one reader.
/// </summary>
internal sealed class ReceivedBody(HttpContext context, ServerRuntime server) : Stream
{
    private readonly Stream _inner = context.Request.Body;
    private readonly ByteBudget _connection = ClientConnection.Of(context, server.Settings).Receiving;
    private readonly CancellationTokenSource _late = new();
    private long _connectionBytes;
    private long _serverBytes;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Receives what a reader takes from this body, within its time.</summary>
    /// <param name="read">Reads from this body.</param>
    /// <param name="timeout">The time that the request gives itself (<c>grpc-timeout</c>); null: none.</param>
    /// <exception cref="GlueException">It is too late, or too much.</exception>
    /// <exception cref="GrpcStatusException">Its own time is over.</exception>
    public async ValueTask<T> ReceiveAsync<T>(
        Func<Stream, CancellationToken, ValueTask<T>> read, TimeSpan? timeout = null)
    {
        ValueTask<T> reading = read(this, _late.Token);
        if (reading.IsCompleted)
            return await reading.ConfigureAwait(false);
        TimeSpan limit = server.Settings.RequestReceiveTimeout;
        bool isOwn = timeout is { } own && own < limit;
        ITimer timer = server.Settings.Time.CreateTimer(
            static late => ((CancellationTokenSource)late!).Cancel(),
            _late,
            isOwn ? timeout!.Value : limit,
            Timeout.InfiniteTimeSpan);
        try
        {
            // Always to its end: until then the reader's buffer is written into.
            return await reading.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (isOwn && _late.IsCancellationRequested)
        {
            throw new GrpcStatusException(
                GrpcStatus.DeadlineExceeded,
                $"the request was not complete within its grpc-timeout ({timeout!.Value.TotalSeconds:0.###} s)");
        }
        catch (OperationCanceledException) when (_late.IsCancellationRequested)
        {
            throw GlueErrors.NotDelivered(
                GlueErrorKind.Deadline,
                GlueErrorCode.DeadlineOnServer,
                $"The request has not arrived within RequestReceiveTimeout of the server "
                + $"({server.Settings.RequestReceiveTimeout.TotalSeconds:0.##} s); {_connectionBytes} bytes came.");
        }
        finally
        {
            await timer.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>The request is complete: its connection may receive others.</summary>
    public void GiveBackConnection() => _connection.GiveBack(Interlocked.Exchange(ref _connectionBytes, 0));

    /// <summary>What came of the request is kept by nobody any more. Idempotent.</summary>
    public void GiveBackServer() => server.Receiving.GiveBack(Interlocked.Exchange(ref _serverBytes, 0));

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ValueTask<int> read = _inner.ReadAsync(buffer, cancellationToken);
        return read.IsCompletedSuccessfully ? new ValueTask<int>(Count(read.Result)) : CountAsync(read);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Flush() => throw new NotSupportedException();

    private async ValueTask<int> CountAsync(ValueTask<int> read) => Count(await read.ConfigureAwait(false));

    private int Count(int bytes)
    {
        if (!_connection.TryTake(bytes))
            throw TooMuch(_connection, "connection");
        _connectionBytes += bytes;
        if (!server.Receiving.TryTake(bytes))
            throw TooMuch(server.Receiving, "server");
        _serverBytes += bytes;
        return bytes;
    }

    private static GlueException TooMuch(ByteBudget budget, string whose) => GlueErrors.NotDelivered(
        GlueErrorKind.Overloaded,
        GlueErrorCode.ServerOverloaded,
        $"The requests that this {whose} is receiving have more than {budget.BytesMax} bytes together "
        + $"({budget.Option} of the server); the request was given up.");
}
