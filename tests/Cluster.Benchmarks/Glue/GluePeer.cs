using System.Net.Sockets;
using Cluster.Glue;
using Cluster.Glue.Tls;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Benchmarks.Glue;

/// <summary>The second process of the glue area: a Glue server, a stock gRPC server beside a bare Kestrel echo,
/// StreamJsonRpc and a raw TCP echo. Prints addresses and runs until its standard input ends.</summary>
public static class GluePeer
{
    /// <summary>The argument that starts this instead of a benchmark.</summary>
    public const string Argument = "--glue-peer";

    /// <summary>Runs the peer.</summary>
    /// <param name="input">Ends with the parent.</param>
    /// <param name="output">Gets one line with the addresses.</param>
    public static async Task<int> RunAsync(TextReader input, TextWriter output)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0, endpoint => endpoint.Protocols = HttpProtocols.Http2);
            kestrel.Limits.MaxRequestBodySize = null;
        });
        builder.Services.AddGlueServer(options =>
            {
                options.ListenAddress = "http://127.0.0.1:0";
                options.WindowBytes = 8 * 1024 * 1024;
            })
            .AddService<IPeerService, PeerService>(GlueInstanceMode.Singleton)
            .AddService<IBulkPeer, BulkPeer>(GlueInstanceMode.Singleton)
            .AddService<IStreamPeer, StreamPeer>(GlueInstanceMode.Singleton);
        builder.Services.AddGrpc();
        await using var app = builder.Build();
        app.MapGrpcService<StockEchoService>();
        app.MapPost("/echo", async context =>
        {
            var body = new byte[64];
            var count = await context.Request.Body.ReadAsync(body);
            context.Response.ContentType = "application/grpc";
            await context.Response.Body.WriteAsync(body.AsMemory(0, count));
            context.Response.AppendTrailer("grpc-status", "0");
        });
        app.MapGet("/items", StreamPeer.GiveBareAsync);
        await app.StartAsync();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        _ = AcceptAsync(listener);
        using var rpcListener = new TcpListener(IPAddress.Loopback, 0);
        rpcListener.Start();
        _ = JsonRpcSide.ServeAsync(rpcListener);
        using var authority = GlueCertificates.CreateForDevelopment();
        using var encrypted = await StartEncryptedAsync(authority);
        var tls = encrypted.Services.GetRequiredService<GlueListener>().Address!;
        var trusted = Convert.ToBase64String(authority.Authority.RawData);
        var glue = app.Services.GetRequiredService<GlueListener>().Address!;
        await output.WriteLineAsync(
            $"{glue} {app.Urls.First()} {PortOf(listener)} {PortOf(rpcListener)} {tls} {trusted}");
        await output.FlushAsync();
        await input.ReadToEndAsync();
        await encrypted.StopAsync();
        await app.StopAsync();
        return 0;
    }

    private static async Task<IHost> StartEncryptedAsync(GlueCertificates authority)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddGlueServer(options =>
            {
                options.ListenAddress = "https://127.0.0.1:0";
                options.Tls = new GlueTlsOptions { Certificate = authority.Create("localhost", "127.0.0.1") };
            })
            .AddService<IPeerService, PeerService>(GlueInstanceMode.Singleton);
        var host = builder.Build();
        await host.StartAsync();
        return host;
    }

    private static int PortOf(TcpListener listener) => ((IPEndPoint)listener.LocalEndpoint).Port;

    private static async Task AcceptAsync(TcpListener listener)
    {
        while (true)
            _ = EchoAsync(await listener.AcceptSocketAsync());
    }

    private static async Task EchoAsync(Socket accepted)
    {
        using var socket = accepted;
        socket.NoDelay = true;
        var buffer = new byte[64];
        while (await socket.ReceiveAsync(buffer) is var count and > 0)
            await socket.SendAsync(buffer.AsMemory(0, count));
    }
}
