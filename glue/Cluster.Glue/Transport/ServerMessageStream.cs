using Cluster.Glue.Wire;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;

namespace Cluster.Glue.Transport;

/// <summary>
/// The accepted side of a gRPC duplex call, on Kestrel's request and response bodies. Lives as long as its request's
/// handler, which also writes the trailers.
/// </summary>
internal sealed class ServerMessageStream : IMessageStream
{
    private readonly Lock _gate = new();
    private readonly HttpContext _context;
    private readonly GrpcMessageReader _reader = new();
    private readonly GzipMessageWriter? _gzip;
    private readonly CancellationTokenSource _ended = new();
    private readonly Stream _input;
    private readonly Stream _output;
    private bool _isDisposed;

    private ServerMessageStream(HttpContext context, GlueCompression compression)
    {
        _context = context;
        _gzip = GzipMessageWriter.For(compression);
        _reader.Accept(context.Request.Headers.GrpcEncoding);
        _input = context.Request.Body;
        _output = context.Response.Body;
    }

    public int ReceiveBytesMax
    {
        get => _reader.BytesMax;
        set => _reader.BytesMax = value;
    }

    /// <summary>
    /// Lifts the limits that would end a long stream and sends the response headers, which peers wait for.
    /// </summary>
    public static async ValueTask<ServerMessageStream> AcceptAsync(HttpContext context, GlueCompression wanted)
    {
        GlueCompression compression = GrpcServerResponse.Agree(context, wanted);
        if (context.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } size)
            size.MaxRequestBodySize = null;
        if (context.Features.Get<IHttpMinRequestBodyDataRateFeature>() is { } rate)
            rate.MinDataRate = null;
        // Before the headers leave, which a refusal changes.
        var stream = new ServerMessageStream(context, compression);
        context.Response.ContentType = GlueWire.ContentType;
        await context.Response.StartAsync(context.RequestAborted).ConfigureAwait(false);
        await context.Response.Body.FlushAsync(context.RequestAborted).ConfigureAwait(false);
        return stream;
    }

    public async ValueTask SendAsync(byte[] buffer, int payloadStart, int payloadLength)
    {
        int start = BytesValue.WriteFrameHeader(buffer, payloadStart, payloadLength);
        ReadOnlyMemory<byte> message = buffer.AsMemory(start, payloadStart + payloadLength - start);
        if (_gzip is not null)
            message = _gzip.Compress(message);
        // Kestrel sends what is written; a flush after it would only wake its frame writer once more.
        await _output.WriteAsync(message).ConfigureAwait(false);
    }

    public async ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
    {
        try
        {
            return await _reader.ReadAsync(_input, _ended.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_ended.IsCancellationRequested)
        {
            return null;
        }
    }

    /// <summary>Ends the receiving too, so that the handler returns and Kestrel sends the trailers.</summary>
    public async ValueTask CompleteAsync() => await _ended.CancelAsync().ConfigureAwait(false);

    /// <summary>Ends the request. Kestrel uses its context again for another one: that is not aborted.</summary>
    public void Abort()
    {
        lock (_gate)
        {
            if (!_isDisposed)
                _context.Abort();
        }
    }

    public ValueTask DisposeAsync()
    {
        lock (_gate)
            _isDisposed = true;
        _reader.Dispose();
        return ValueTask.CompletedTask;
    }
}
