using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;

namespace Samples.Tests;

/// <summary>Takes what a program exports by OTLP over HTTP, as a collector does, and keeps it by path. The messages are
/// protobuf, in which texts stand as they are.</summary>
internal sealed class StandInCollector : IAsyncDisposable
{
    private readonly ConcurrentQueue<(string Path, string Text)> _received = new();
    private readonly WebApplication _web;

    private StandInCollector()
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().UseUrls("http://127.0.0.1:0");
        _web = builder.Build();
        _web.Run(TakeAsync);
    }

    public string Address => _web.Urls.Single();

    public static async Task<StandInCollector> StartAsync()
    {
        var collector = new StandInCollector();
        await collector._web.StartAsync();
        return collector;
    }

    /// <summary>All messages that came to a path, one after the other.</summary>
    public string TextOf(string path) => string.Concat(_received.Where(one => one.Path == path).Select(one => one.Text));

    public async ValueTask DisposeAsync()
    {
        await _web.StopAsync();
        await _web.DisposeAsync();
    }

    private async Task TakeAsync(HttpContext context)
    {
        using var reader = new StreamReader(context.Request.Body, Encoding.Latin1);
        _received.Enqueue((context.Request.Path, await reader.ReadToEndAsync()));
        context.Response.ContentType = "application/x-protobuf";
    }
}
