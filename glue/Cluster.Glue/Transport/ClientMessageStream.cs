using Cluster.Glue.Wire;

namespace Cluster.Glue.Transport;

/// <summary>
/// The opening side of a gRPC duplex call over a connection of its own. The response is awaited by the receiver only:
/// gRPC servers may send their headers with their first message, so awaiting it before sending would hang for ever.
/// </summary>
internal sealed class ClientMessageStream : IMessageStream
{
    private readonly GrpcMessageReader _reader = new();
    private readonly GzipMessageWriter? _gzip;
    private readonly HttpMessageInvoker _invoker;
    private readonly StreamingContent _content;
    private readonly CancellationTokenSource _abort;
    private readonly Task<HttpResponseMessage> _response;
    private readonly Stream _output;
    private Stream? _input;

    private ClientMessageStream(
        HttpMessageInvoker invoker,
        StreamingContent content,
        CancellationTokenSource abort,
        Task<HttpResponseMessage> response,
        (Stream Stream, GlueCompression Compression) output)
    {
        _invoker = invoker;
        _content = content;
        _abort = abort;
        _response = response;
        _output = output.Stream;
        _gzip = GzipMessageWriter.For(output.Compression);
    }

    public int ReceiveBytesMax
    {
        get => _reader.BytesMax;
        set => _reader.BytesMax = value;
    }

    /// <summary>
    /// Starts the request and waits until its body can be written. Takes over the invoker, also on failure.
    /// </summary>
    public static async ValueTask<ClientMessageStream> OpenAsync(
        HttpMessageInvoker invoker, Uri address, GlueCompression compression, CancellationToken cancellationToken)
    {
        var content = new StreamingContent();
        var abort = new CancellationTokenSource();
        try
        {
            HttpRequestMessage request = GrpcRequest.Create(
                new Uri(address, GlueWire.LinkPath), content, compression);
            Task<HttpResponseMessage> response = invoker.SendAsync(request, abort.Token);
            _ = response.ContinueWith(
                static (task, state) => ((StreamingContent)state!).Fail(Unwrap(task)),
                content,
                CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously | TaskContinuationOptions.NotOnRanToCompletion,
                TaskScheduler.Default);
            Stream output = await OpenedAsync(content, response, cancellationToken).ConfigureAwait(false);
            return new ClientMessageStream(invoker, content, abort, response, (output, compression));
        }
        catch
        {
            await abort.CancelAsync().ConfigureAwait(false);
            invoker.Dispose();
            throw;
        }
    }

    public async ValueTask SendAsync(byte[] buffer, int payloadStart, int payloadLength)
    {
        int start = BytesValue.WriteFrameHeader(buffer, payloadStart, payloadLength);
        ReadOnlyMemory<byte> message = buffer.AsMemory(start, payloadStart + payloadLength - start);
        if (_gzip is not null)
            message = _gzip.Compress(message);
        try
        {
            await _output.WriteAsync(message, _abort.Token).ConfigureAwait(false);
            await _output.FlushAsync(_abort.Token).ConfigureAwait(false);
        }
        catch (Exception exception) when (!_abort.IsCancellationRequested)
        {
            // A server that refuses reads no further, which HttpClient tells in many ways; its response says why, and
            // may wait for the end of the request.
            _content.Complete();
            GrpcResponse.CheckHeaders(await _response.WaitAsync(_abort.Token).ConfigureAwait(false));
            throw new IOException($"the server has ended the stream: {exception.Message}", exception);
        }
    }

    public ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
        => _input is null ? ReceiveFirstAsync() : ReceiveNextAsync(_input);

    public ValueTask CompleteAsync()
    {
        _content.Complete();
        return ValueTask.CompletedTask;
    }

    public void Abort()
    {
        // User callbacks never hang on this token, so cancelling it inline cannot run foreign code.
        _abort.Cancel();
        _content.Complete();
    }

    public async ValueTask DisposeAsync()
    {
        Abort();
        try
        {
            (await _response.ConfigureAwait(false)).Dispose();
        }
        catch (Exception)
        {
            // The request's failure was already reported by the receiver.
        }

        // The source is left: whoever has found the stream a moment ago may still abort it.
        _invoker.Dispose();
        _reader.Dispose();
    }

    private static async Task<Stream> OpenedAsync(
        StreamingContent content, Task<HttpResponseMessage> response, CancellationToken cancellationToken)
    {
        try
        {
            return await content.Opened.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception) when (!cancellationToken.IsCancellationRequested)
        {
            GrpcResponse.CheckHeaders(await response.WaitAsync(cancellationToken).ConfigureAwait(false));
            throw;
        }
    }

    private static Exception Unwrap(Task task) => task.Exception?.InnerException ?? new OperationCanceledException();

    private async ValueTask<ReadOnlyMemory<byte>?> ReceiveFirstAsync()
    {
        HttpResponseMessage response = await _response.ConfigureAwait(false);
        GrpcResponse.CheckHeaders(response);
        _reader.Accept(GrpcResponse.EncodingOf(response));
        _input = await response.Content.ReadAsStreamAsync(_abort.Token).ConfigureAwait(false);
        return await ReceiveNextAsync(_input).ConfigureAwait(false);
    }

    private async ValueTask<ReadOnlyMemory<byte>?> ReceiveNextAsync(Stream input)
    {
        ReadOnlyMemory<byte>? message = await _reader.ReadAsync(input, _abort.Token).ConfigureAwait(false);
        if (message is null && GrpcResponse.ReadEnd(await _response.ConfigureAwait(false)) is { } status)
            throw status;
        return message;
    }
}
