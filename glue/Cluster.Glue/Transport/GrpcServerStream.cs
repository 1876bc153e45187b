using System.IO.Pipelines;
using Cluster.Glue.Wire;
using Grpc.Core;
using Microsoft.AspNetCore.Http;

namespace Cluster.Glue.Transport;

/// <summary>The accepted side of a message stream: a duplex call of the gRPC server. Lives as long as the handler of
/// its request, which also gives gRPC the status.</summary>
/// <remarks>Begins to serve a call.</remarks>
/// <param name="requests">The messages of the peer.</param>
/// <param name="responses">The messages to the peer.</param>
/// <param name="context">The context of the request.</param>
/// <param name="compression">The compression that the server wants; gRPC compresses only if the peer accepts
/// it.</param>
internal sealed class GrpcServerStream(
    IAsyncStreamReader<GrpcMessage> requests,
    IServerStreamWriter<GrpcMessage> responses,
    HttpContext context,
    GlueCompression compression) : IMessageStream
{
    private static readonly WriteOptions Uncompressed = new(WriteFlags.NoCompress);

    private readonly Lock _gate = new();
    private readonly IAsyncStreamReader<GrpcMessage> _requests = requests;
    private readonly IServerStreamWriter<GrpcMessage> _responses = responses;
    private readonly HttpContext _context = context;
    private readonly PipeReader _body = context.Request.BodyReader;
    private readonly bool _mayComeCompressed = context.Request.Headers.GrpcEncoding == GzipProvider.Name;
    private readonly bool _compresses = compression == GlueCompression.Gzip;
    private readonly CancellationTokenSource _ended = new();
    private GrpcMessage? _received;
    private bool _isDisposed;

    public int ReceiveBytesMax { get; set; } = GlueLimits.HandshakeBytesMax;

    public IReceivedMessage? Received => _received;

    public async ValueTask SendAsync(ReadOnlyMemory<byte> payload)
    {
        var message = GrpcMessage.Of(payload);
        if (_compresses)
            _responses.WriteOptions = message.IsWorthCompressing ? null : Uncompressed;
        try
        {
            await _responses.WriteAsync(message).ConfigureAwait(false);
        }
        catch (InvalidOperationException exception) when (_context.RequestAborted.IsCancellationRequested)
        {
            throw new IOException("the request was aborted", exception);
        }
    }

    public async ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
    {
        _received?.GiveBack();
        _received = null;
        try
        {
            if (!await WaitForMessageAsync(_ended.Token).ConfigureAwait(false)
                || !await _requests.MoveNext(_ended.Token).ConfigureAwait(false))
                return null;
        }
        catch (OperationCanceledException) when (_ended.IsCancellationRequested)
        {
            return null;
        }
        catch (RpcException failure)
        {
            throw GrpcFailures.Of(failure);
        }
        catch (InvalidOperationException exception) when (_context.RequestAborted.IsCancellationRequested)
        {
            throw new IOException("the request was aborted", exception);
        }

        _received = _requests.Current;
        return _received.ReadPayload();
    }

    /// <summary>Ends receiving, too, so that the handler returns and gRPC sends the trailers.</summary>
    public async ValueTask CompleteAsync() => await _ended.CancelAsync().ConfigureAwait(false);

    /// <summary>Ends the request. Kestrel reuses the context for other requests: those are not aborted.</summary>
    public void Abort()
    {
        lock (_gate)
        {
            if (!_isDisposed)
                _context.Abort();
        }
    }

    /// <summary>The last received message is left to the garbage collector, because a reader may still use
    /// it.</summary>
    public ValueTask DisposeAsync()
    {
        lock (_gate)
            _isDisposed = true;
        return ValueTask.CompletedTask;
    }

    /// <summary>Completes when a whole message can be read. False: the stream has ended.</summary>
    /// <exception cref="WireException">The received bytes are not an allowed message.</exception>
    private async ValueTask<bool> WaitForMessageAsync(CancellationToken cancellationToken)
    {
        long lookedAtBytes = 0;
        while (true)
        {
            var read = await _body.ReadAsync(cancellationToken).ConfigureAwait(false);
            var received = read.Buffer;
            var receivedBytes = received.Length;
            var isWhole = false;
            try
            {
                isWhole = GrpcFrame.LengthOf(received, ReceiveBytesMax, _mayComeCompressed) is { } length
                    && receivedBytes >= length;
            }
            finally
            {
                // No bytes are consumed here, because gRPC reads them. Kestrel waits for more bytes only if all bytes
                // are marked as examined. If a message is whole, some bytes stay unexamined, so that gRPC gets the
                // message at once.
                _body.AdvanceTo(received.Start, isWhole ? received.GetPosition(lookedAtBytes) : received.End);
                lookedAtBytes = receivedBytes;
            }

            if (isWhole)
                return true;
            if (read.IsCompleted)
                return receivedBytes == 0 ? false : throw GrpcFrame.CutShort(receivedBytes);
        }
    }
}
