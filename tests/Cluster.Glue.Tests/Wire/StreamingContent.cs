using System.Net.Http.Headers;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Wire;

/// <summary>The request body of a duplex call: hands out the stream that HttpClient opens for it and keeps it open
/// until it is completed. One use.</summary>
internal sealed class StreamingContent : HttpContent
{
    private readonly TaskCompletionSource<Stream> _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _completed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public StreamingContent() => Headers.ContentType = new MediaTypeHeaderValue(GlueWire.ContentType);

    public Task<Stream> Opened => _opened.Task;

    public void Complete() => _completed.TrySetResult();

    public void Fail(Exception exception)
    {
        _opened.TrySetException(exception);
        _completed.TrySetResult();
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(
        Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        try
        {
            // Request headers wait in HttpClient's buffer until the first flush.
            await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
            _opened.TrySetResult(stream);
        }
        catch (Exception exception)
        {
            // The server has answered already: the response succeeds, and says why.
            _opened.TrySetException(exception);
            throw;
        }

        await _completed.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = -1;
        return false;
    }
}
