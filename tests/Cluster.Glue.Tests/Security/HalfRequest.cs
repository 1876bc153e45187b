using System.Net.Http.Headers;
using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Tests.Wire;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Security;

/// <summary>A gRPC request that sends some bytes and then stays open without an end, over a connection of its own or
/// together with others. Uses the stock HTTP client only. One thread at a time.</summary>
internal sealed class HalfRequest : IDisposable
{
    private readonly SocketsHttpHandler? _ownHandler;
    private readonly OpenContent _content;
    private readonly Task<HttpResponseMessage> _response;
    private readonly List<byte> _received = [];

    public HalfRequest(string address, byte[] body, string path = RawGrpc.LinkPath, HttpMessageInvoker? shared = null)
    {
        _content = new OpenContent(body);
        var request = new HttpRequestMessage(HttpMethod.Post, new Uri(new Uri(address), path))
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = _content,
        };
        request.Headers.TE.Add(new TransferCodingWithQualityHeaderValue("trailers"));
        _ownHandler = shared is null ? new SocketsHttpHandler() : null;
        _response = (shared ?? new HttpMessageInvoker(_ownHandler!)).SendAsync(request, CancellationToken.None);
    }

    /// <summary>Why the server refused it, before it read anything; null: it did not.</summary>
    public string? Refusal => _response.IsCompletedSuccessfully
        && _response.Result.Headers.TryGetValues("grpc-message", out var values)
            ? Uri.UnescapeDataString(values.First())
            : null;

    /// <summary>Completes when the bytes are written, or the server has answered: what it refuses is perhaps never
    /// written.</summary>
    public Task Written => Task.WhenAny(_content.Written, _response);

    /// <summary>Sends more; bytes that a server does not want any more are lost.</summary>
    public async Task SendAsync(byte[] bytes)
    {
        try
        {
            await _content.SendAsync(bytes);
        }
        catch (Exception exception) when (exception is IOException or HttpRequestException or ObjectDisposedException
            or OperationCanceledException or InvalidOperationException)
        {
            // It has ended the request.
        }
    }

    /// <summary>The kind of the next envelope that the server sends.</summary>
    public async Task<EnvelopeKind> ReceiveKindAsync() => (await ReceiveAsync())?.Kind ?? EnvelopeKind.None;

    /// <summary>The next envelope that the server sends; null: none.</summary>
    public async Task<RecordedEnvelope?> ReceiveAsync()
    {
        var input = await (await _response).Content.ReadAsStreamAsync();
        var buffer = new byte[4096];
        while (true)
        {
            if (Frames.PayloadsIn(_received.ToArray()) is [var payload, ..])
            {
                _received.Clear();
                return Frames.EnvelopesIn(payload)[0];
            }

            var count = await input.ReadAsync(buffer);
            if (count == 0)
                return null;
            _received.AddRange(buffer.AsSpan(0, count));
        }
    }

    /// <summary>Waits until the server has ended the request; gives its gRPC status and message.</summary>
    public async Task<(string Status, string Message)> EndAsync()
    {
        using var response = await _response;
        var input = await response.Content.ReadAsStreamAsync();
        await input.CopyToAsync(Stream.Null);
        var headers = response.TrailingHeaders.Contains("grpc-status")
            ? response.TrailingHeaders
            : response.Headers;
        var message = headers.TryGetValues("grpc-message", out var values)
            ? Uri.UnescapeDataString(values.First())
            : "";
        return (headers.GetValues("grpc-status").First(), message);
    }

    public void Dispose()
    {
        _content.Complete();
        _ownHandler?.Dispose();
    }

    /// <summary>A body that begins and does not end before it is completed. Its tasks protect themselves.</summary>
    private sealed class OpenContent : HttpContent
    {
        private readonly byte[] _bytes;
        private readonly TaskCompletionSource _written = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private Stream? _stream;

        public OpenContent(byte[] bytes)
        {
            _bytes = bytes;
            Headers.ContentType = new MediaTypeHeaderValue(GlueWire.ContentType);
        }

        public Task Written => _written.Task;

        public async Task SendAsync(byte[] bytes)
        {
            await _stream!.WriteAsync(bytes);
            await _stream.FlushAsync();
        }

        public void Complete() => _ended.TrySetResult();

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            _stream = stream;
            await stream.WriteAsync(_bytes);
            await stream.FlushAsync();
            _written.TrySetResult();
            await _ended.Task;
        }

        protected override bool TryComputeLength(out long length)
        {
            length = -1;
            return false;
        }
    }
}
