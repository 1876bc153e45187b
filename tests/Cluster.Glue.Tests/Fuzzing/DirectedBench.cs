using Cluster.Glue.Sessions;
using Cluster.Glue.Tests.Sessions;
using Cluster.Glue.Tests.Wire;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>A server and ways to be refused by it or to let a client refuse; each gives the text of the refusal. Shared
/// by all directed cases, which run one after the other.</summary>
public sealed class DirectedBench : IAsyncLifetime, IDisposable
{
    /// <summary>Of the clients.</summary>
    internal const int StreamWindowBytes = 16 * 1024;

    private const int MaxMessageBytes = 64 * 1024;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly byte[] HelloFrame = Frames.Of(Frames.Envelope(EnvelopeKind.Hello, 0, Frames.Hello()));

    private GlueHost _host = null!;
    private RawLink _raw = null!;
    private byte _secrets;

    public async Task InitializeAsync()
    {
        _host = await GlueHost.StartAsync(options => options.MaxMessageBytes = MaxMessageBytes, FuzzCorpus.AddServices);
        _raw = new RawLink(_host.Address);
    }

    public async Task DisposeAsync()
    {
        Dispose();
        await _host.DisposeAsync();
    }

    public void Dispose() => _raw.Dispose();

    /// <summary>Sends these bytes as the whole request.</summary>
    internal async Task<string> RequestAsync(
        byte[] body, string path = RawGrpc.LinkPath, string type = GlueWire.ContentType) =>
        (await _raw.SendAsync(body, path, type)).Message;

    /// <summary>Opens a link that ends with its stream and sends these bytes.</summary>
    internal Task<string> LinkAsync(params byte[] frames) => RequestAsync([.. HelloFrame, .. frames]);

    /// <summary>The same in a request that names an encoding.</summary>
    internal async Task<string> EncodedAsync(string encoding, params byte[] frames) =>
        (await _raw.SendAsync([.. HelloFrame, .. frames], encoding: encoding)).Message;

    /// <summary>Opens a link that can be resumed and sends these bytes on its first stream.</summary>
    internal Task<string> ResumableAsync(byte[] frames, byte[]? secret = null) =>
        RequestAsync(
        [
            .. Frames.Of(Frames.Envelope(EnvelopeKind.Hello, 0, Frames.Hello(secret ?? NextSecret(), 1000))), .. frames,
        ]);

    internal byte[] NextSecret() => [.. Enumerable.Repeat(++_secrets, 16)];

    /// <summary>Sends envelopes over a link; gives what the fault among the answers says.</summary>
    internal async Task<string> FaultAsync(byte[] envelopes)
    {
        var answer = await _raw.ExchangeAsync([.. HelloFrame, .. Frames.Of(envelopes)]);
        var fault = Frames.PayloadsIn(answer).SelectMany(Frames.EnvelopesIn)
            .First(one => one.Kind == EnvelopeKind.Fault);
        // Kind 1, then three numbers of one byte each, then the text.
        return System.Text.Encoding.UTF8.GetString(fault.Body.AsSpan(4 + Frames.Varint((ulong)fault.Body.Length).Length));
    }

    /// <summary>Lets a client shake hands with a server that says this.</summary>
    internal static Task<string> WelcomeAsync(byte[] welcome, byte[]? joined = null) =>
        CallAsync(new HostileScript { Welcome = welcome, Joined = joined ?? [] });

    /// <summary>Lets a client call a server that answers with envelopes made for the id of the call.</summary>
    internal static Task<string> AnswerAsync(Func<ulong, byte[]> envelopes) =>
        CallAsync(Answering(envelopes));

    /// <summary>Lets a client read the first stream of a result; the server answers to its first credit.</summary>
    internal static Task<string> ReadStreamAsync(Func<ulong, byte[]> reply, byte[] items)
    {
        var script = Answering(reply);
        script.Items = items;
        return CallAsync(script, static async client =>
        {
            var pair = await client.CreateProxy<IStreamProbes>("http://hostile").PairAsync();
            await pair.First!.CountAsync();
        });
    }

    /// <summary>Lets a client call a server that is none.</summary>
    internal static async Task<string> HttpAsync(GlueTransport transport, RequestDelegate answer)
    {
        await using var app = await StartAsync(answer, HttpProtocols.Http2);
        await using var client = new GlueClient(new GlueClientOptions
        {
            Transport = transport,
            DefaultDeadline = Bound,
            ConnectTimeout = Bound,
        });
        return await RefusalOfAsync(() => CallProbeAsync(client, app.Urls.First()));
    }

    /// <summary>A server of its own that drains.</summary>
    internal static async Task<string> DrainingAsync()
    {
        await using var host = await GlueHost.StartAsync();
        await host.Services.GetRequiredService<ServerRuntime>().DrainAsync();
        using var raw = new RawLink(host.Address);
        return (await raw.SendAsync(HelloFrame)).Message;
    }

    /// <summary>A server of its own whose peer says nothing.</summary>
    internal static async Task<string> SilentAsync()
    {
        await using var host = await GlueHost.StartAsync(
            options => options.HandshakeTimeout = TimeSpan.FromMilliseconds(100));
        using var invoker = RawGrpc.CreateInvoker(Bound);
        var content = new StreamingContent();
        using var request = RawGrpc.Create(new Uri(new Uri(host.Address), RawGrpc.LinkPath), content);
        using var response = await invoker.SendAsync(request, CancellationToken.None).WaitAsync(Bound);
        await response.Content.ReadAsByteArrayAsync().WaitAsync(Bound);
        content.Complete();
        return Uri.UnescapeDataString(response.TrailingHeaders.GetValues(RawGrpc.MessageHeader).First());
    }

    /// <summary>A server of its own that has as many silent peers as it takes.</summary>
    internal static async Task<string> CrowdedAsync()
    {
        await using var host = await GlueHost.StartAsync(options =>
        {
            options.MaxUnauthenticatedConnections = 1;
            // Its only place is not taken from it.
            options.HandshakeTimeout = TimeSpan.FromMinutes(5);
        });
        using var invoker = RawGrpc.CreateInvoker(Bound);
        var content = new StreamingContent();
        using var request = RawGrpc.Create(new Uri(new Uri(host.Address), RawGrpc.LinkPath), content);
        // The server answers with its headers as soon as it waits for the Hello.
        using var response = await invoker.SendAsync(request, CancellationToken.None).WaitAsync(Bound);
        using var raw = new RawLink(host.Address);
        var refusal = (await raw.SendAsync(HelloFrame)).Message;
        content.Complete();
        await response.Content.ReadAsByteArrayAsync().WaitAsync(Bound);
        return refusal;
    }

    private static HostileScript Answering(Func<ulong, byte[]> envelopes) => new()
    {
        Welcome = Frames.Of(Frames.Envelope(EnvelopeKind.Welcome, 0, Frames.Hello())),
        Answer = callId => (Frames.Of(envelopes(callId)), false),
    };

    private static Task<string> CallAsync(HostileScript script) =>
        CallAsync(script, static client => CallProbeAsync(client, "http://hostile"));

    private static async Task<string> CallAsync(HostileScript script, Func<GlueClient, Task> call)
    {
        await using var client = new GlueClient(new GlueClientOptions
        {
            DefaultDeadline = Bound,
            ConnectTimeout = Bound,
            StreamWindowBytes = StreamWindowBytes,
            WrapConnector = inner => new HostileConnector(inner, _ => script),
        });
        return await RefusalOfAsync(() => call(client));
    }

    private static Task<string?> CallProbeAsync(GlueClient client, string address) =>
        client.CreateProxy<IProbes>(address).EchoTextAsync("x");

    private static async Task<string> RefusalOfAsync(Func<Task> call)
    {
        var failure = await Assert.ThrowsAsync<GlueException>(() => call().WaitAsync(Bound));
        Exception? refusal = failure;
        while (refusal is not (null or WireException or GrpcStatusException))
            refusal = refusal.InnerException;
        return (refusal ?? failure).Message;
    }

    private static async Task<WebApplication> StartAsync(RequestDelegate answer, HttpProtocols protocols)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrel(
            kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = protocols));
        var app = builder.Build();
        app.Run(answer);
        await app.StartAsync();
        return app;
    }
}
