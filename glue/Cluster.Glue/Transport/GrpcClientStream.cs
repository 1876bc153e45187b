using Cluster.Glue.Authorization;
using Cluster.Glue.Wire;
using Grpc.Core;
using Grpc.Net.Client;

namespace Cluster.Glue.Transport;

/// <summary>The opening side of a message stream: a duplex call of the gRPC client.</summary>
/// <remarks>Begins the call. Takes over the channel.</remarks>
/// <param name="channel">The channel, used by this stream only.</param>
/// <param name="compression">How messages are sent.</param>
/// <param name="bearer">The token for the request; null: none.</param>
internal sealed class GrpcClientStream(GrpcChannel channel, GlueCompression compression, string? bearer)
    : IMessageStream
{
    private static readonly WriteOptions Uncompressed = new(WriteFlags.NoCompress);

    private readonly GrpcChannel _channel = channel;
    private readonly AsyncDuplexStreamingCall<GrpcMessage, GrpcMessage> _call =
        channel.CreateCallInvoker().AsyncDuplexStreamingCall(
            GrpcMethods.Link, null, new CallOptions(HeadersOf(compression, bearer)));
    private readonly bool _compresses = compression == GlueCompression.Gzip;
    private GrpcMessage? _received;
    private volatile bool _isAborted;

    public int ReceiveBytesMax { get; set; } = GlueLimits.HandshakeBytesMax;

    public IReceivedMessage? Received => _received;

    /// <summary>Completes when a connection was made. Does not wait for the server's headers: gRPC servers may send
    /// them with their first message.</summary>
    /// <exception cref="RpcException">No connection could be made, or the server has refused the call.</exception>
    public async ValueTask WaitUntilOpenAsync(Task connected, CancellationToken cancellationToken)
    {
        var answered = _call.ResponseHeadersAsync;
        var first = await Task.WhenAny(connected, answered).WaitAsync(cancellationToken).ConfigureAwait(false);
        await first.ConfigureAwait(false);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask SendAsync(ReadOnlyMemory<byte> payload)
    {
        var message = GrpcMessage.Of(payload);
        try
        {
            if (_compresses)
                _call.RequestStream.WriteOptions = message.IsWorthCompressing ? null : Uncompressed;
            await _call.RequestStream.WriteAsync(message).ConfigureAwait(false);
        }
        catch (Exception exception) when (!_isAborted)
        {
            throw await ExplainAsync(exception).ConfigureAwait(false);
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
    {
        _received?.GiveBack();
        _received = null;
        try
        {
            if (!await _call.ResponseStream.MoveNext(CancellationToken.None).ConfigureAwait(false))
                return null;
        }
        catch (Exception exception) when (_isAborted)
        {
            throw new OperationCanceledException("The stream was given up.", exception);
        }
        catch (RpcException failure)
        {
            throw GrpcFailures.Of(failure);
        }

        _received = _call.ResponseStream.Current;
        var payload = _received.ReadPayload();
        return payload.Length <= ReceiveBytesMax
            ? payload
            : throw new WireException(
                $"gRPC frame: {payload.Length} bytes came, {ReceiveBytesMax} are allowed here.");
    }

    public async ValueTask CompleteAsync()
    {
        try
        {
            await _call.RequestStream.CompleteAsync().ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is RpcException or InvalidOperationException)
        {
            // The call has ended; receiving from it throws the reason.
        }
    }

    public void Abort()
    {
        _isAborted = true;
        _call.Dispose();
    }

    /// <summary>The last received message is left to the garbage collector, because a reader may still use
    /// it.</summary>
    public ValueTask DisposeAsync()
    {
        Abort();
        _channel.Dispose();
        return ValueTask.CompletedTask;
    }

    private static Metadata HeadersOf(GlueCompression compression, string? bearer)
    {
        var headers = new Metadata();
        if (compression == GlueCompression.Gzip)
            headers.Add(GzipProvider.RequestHeader, GzipProvider.Name);
        if (bearer is not null)
            headers.Add(BearerToken.HttpHeader, BearerToken.ToHttp(bearer));
        return headers;
    }

    // A server that refuses the call stops reading, and HttpClient reports that in many ways. The server's answer says
    // why, but may come only after the end of the request.
    private async ValueTask<Exception> ExplainAsync(Exception exception)
    {
        await CompleteAsync().ConfigureAwait(false);
        var failure = exception is RpcException known ? GrpcFailures.Of(known) : exception;
        if (failure is GrpcStatusException { Status: not StatusCode.OK })
            return failure;
        try
        {
            await _call.ResponseHeadersAsync.ConfigureAwait(false);
        }
        catch (RpcException answer)
        {
            return GrpcFailures.Of(answer);
        }

        return new IOException($"the server has ended the stream: {failure.Message}", failure);
    }
}
