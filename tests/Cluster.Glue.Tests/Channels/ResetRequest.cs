using System.Net.Sockets;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Channels;

/// <summary>A request whose connection is reset when half of its message is sent.</summary>
internal static class ResetRequest
{
    /// <summary>What is asked after it; nothing that Glue offers.</summary>
    public const string BarrierPath = "/" + GlueWire.ServiceName + "/Barrier";

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public static async Task SendAsync(Uri target)
    {
        Socket? socket = null;
        using var invoker = new HttpMessageInvoker(new SocketsHttpHandler
        {
            UseProxy = false,
            ConnectCallback = async (context, token) =>
            {
                socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { LingerState = new LingerOption(true, 0) };
                await socket.ConnectAsync(context.DnsEndPoint, token);
                return new NetworkStream(socket, ownsSocket: true);
            },
        });
        var sent = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var content = new HalfContent(sent);
        using var request = new HttpRequestMessage(HttpMethod.Post, target)
        {
            Content = content,
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        var response = invoker.SendAsync(request, CancellationToken.None);
        await sent.Task.WaitAsync(Bound);
        // A reset overtakes what the server has not taken up yet: frames of one connection are taken up in order.
        await AskNothingAsync(invoker, target);
        socket!.Close();
        await Assert.ThrowsAnyAsync<Exception>(() => ReadAsync(response).WaitAsync(Bound));
    }

    private static async Task AskNothingAsync(HttpMessageInvoker invoker, Uri server)
    {
        using var content = new ByteArrayContent([]) { Headers = { ContentType = new(GlueWire.ContentType) } };
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(server, BarrierPath))
        {
            Content = content,
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        using var _ = await invoker.SendAsync(request, CancellationToken.None).WaitAsync(Bound);
    }

    private static async Task ReadAsync(Task<HttpResponseMessage> response)
    {
        using var answer = await response;
        await answer.Content.ReadAsByteArrayAsync();
        throw new IOException("the stream has ended");
    }

    private sealed class HalfContent : HttpContent
    {
        private readonly TaskCompletionSource _sent;

        public HalfContent(TaskCompletionSource sent)
        {
            _sent = sent;
            Headers.TryAddWithoutValidation("content-type", GlueWire.ContentType);
        }

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            await stream.WriteAsync(new byte[] { 0, 0, 0, 0, 9, 10, 7 });
            await stream.FlushAsync();
            _sent.TrySetResult();
            await new TaskCompletionSource().Task.WaitAsync(Bound);
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
