using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>An HTTP server whose answers a test sets, for answers that a real Consul gives only in trouble. It can also
/// forward a request to a real Consul and drop the answer. Owned by one test.</summary>
internal sealed class ScriptedConsul : IAsyncDisposable
{
    private readonly WebApplication _app;
    private int _requestCount;

    private ScriptedConsul(WebApplication app) => _app = app;

    public string Address => _app.Urls.Single();

    public int RequestCount => Volatile.Read(ref _requestCount);

    /// <summary>Starts a server.</summary>
    /// <param name="answer">Answers one request; its second argument is the number of the request, from one.</param>
    public static async Task<ScriptedConsul> StartAsync(Func<HttpContext, int, Task> answer)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var app = builder.Build();
        var server = new ScriptedConsul(app);
        app.Run(context => answer(context, Interlocked.Increment(ref server._requestCount)));
        await app.StartAsync();
        return server;
    }

    public static async Task ReplyAsync(HttpContext context, int status, string text = "", ulong index = 0)
    {
        context.Response.StatusCode = status;
        if (index > 0)
            context.Response.Headers["X-Consul-Index"] = $"{index}";
        await context.Response.WriteAsync(text);
    }

    /// <summary>Forwards the request to a real Consul. Returns its answer, or drops the answer and breaks the
    /// connection.</summary>
    /// <param name="context">The request.</param>
    /// <param name="address">The address of the real Consul.</param>
    /// <param name="isAnswerLost">Whether the answer is dropped.</param>
    /// <param name="indexOffset">By how much the answer's index is raised.</param>
    /// <param name="cancellationToken">Ends the wait for the real answer; nothing has been answered then.</param>
    public static async Task ForwardAsync(
        HttpContext context, string address, bool isAnswerLost, ulong indexOffset, CancellationToken cancellationToken)
    {
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(
            new HttpMethod(context.Request.Method), $"{address}{context.Request.Path}{context.Request.QueryString}");
        if (context.Request.Method == HttpMethods.Put)
            request.Content = new StreamContent(context.Request.Body);
        using var response = await http.SendAsync(request, cancellationToken);
        if (isAnswerLost)
        {
            context.Abort();
            return;
        }

        var index = response.Headers.TryGetValues("X-Consul-Index", out var values)
            ? ulong.Parse(values.First(), CultureInfo.InvariantCulture)
            : 0;
        var text = await response.Content.ReadAsStringAsync(cancellationToken);
        await ReplyAsync(context, (int)response.StatusCode, text, index == 0 ? 0 : index + indexOffset);
    }

    public async ValueTask DisposeAsync() => await _app.DisposeAsync();
}
