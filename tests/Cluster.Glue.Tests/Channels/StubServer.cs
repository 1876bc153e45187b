using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Channels;

/// <summary>A Kestrel that does with requests what a test says, in place of a server of Glue or before one.</summary>
internal sealed class StubServer : IAsyncDisposable
{
    private static readonly HttpMethod Post = HttpMethod.Post;

    private readonly WebApplication _app;
    private readonly HttpMessageInvoker _forward = new(new SocketsHttpHandler { UseProxy = false });

    private StubServer(WebApplication app) => _app = app;

    public string Address => _app.Urls.First();

    public static async Task<StubServer> StartAsync(
        Func<StubServer, HttpContext, Task> handle, HttpProtocols protocols = HttpProtocols.Http2)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(
            kestrel => kestrel.Listen(IPAddress.Loopback, 0, endpoint => endpoint.Protocols = protocols));
        var app = builder.Build();
        var stub = new StubServer(app);
        app.Run(context => handle(stub, context));
        await app.StartAsync();
        return stub;
    }

    /// <summary>Answers as a server of gRPC does that has no message to send.</summary>
    public static Task AnswerStatusAsync(HttpContext context, int status, string message)
    {
        context.Response.ContentType = "application/grpc";
        context.Response.Headers["grpc-status"] = $"{status}";
        context.Response.Headers["grpc-message"] = message;
        return Task.CompletedTask;
    }

    /// <summary>Sends a request on to another server, and its answer back.</summary>
    public async Task ForwardAsync(
        HttpContext context, string address, Action<HttpRequestMessage>? change = null, byte[]? body = null)
    {
        using var answer = await SendAsync(context, address, change, body ?? await BodyOf(context));
        context.Response.ContentType = answer.Content.Headers.ContentType?.ToString();
        var content = await answer.Content.ReadAsByteArrayAsync();
        foreach ((var name, var values) in answer.Headers)
            context.Response.Headers[name] = values.ToArray();
        if (content.Length > 0)
            await context.Response.Body.WriteAsync(content);
        foreach ((var name, var values) in answer.TrailingHeaders)
            context.Response.AppendTrailer(name, values.ToArray());
    }

    /// <summary>Forwards a request to another server.</summary>
    public Task<HttpResponseMessage> SendAsync(
        HttpContext context, string address, Action<HttpRequestMessage>? change, byte[] body)
    {
        var content = new ByteArrayContent(body);
        content.Headers.TryAddWithoutValidation("content-type", context.Request.ContentType);
        var request = new HttpRequestMessage(Post, new Uri(new Uri(address), context.Request.Path))
        {
            Content = content,
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        foreach ((var name, var values) in context.Request.Headers)
        {
            if (name.StartsWith("grpc-", StringComparison.OrdinalIgnoreCase)
                || name.StartsWith("glue-", StringComparison.OrdinalIgnoreCase))
                request.Headers.TryAddWithoutValidation(name, values.ToArray());
        }

        request.Headers.TE.ParseAdd("trailers");
        change?.Invoke(request);
        return _forward.SendAsync(request, CancellationToken.None);
    }

    public static async Task<byte[]> BodyOf(HttpContext context)
    {
        var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body);
        return body.ToArray();
    }

    public async ValueTask DisposeAsync()
    {
        await _app.DisposeAsync();
        _forward.Dispose();
    }
}
