using System.Buffers.Binary;
using System.Text;
using Cluster.Glue;
using Cluster.Slim;
using Cluster.Slim.Hosting;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.SystemTests.Interop;

/// <summary>
/// Stock gRPC clients talk to our server and our client to a stock server. Hashes are computed here by the wire page's rules,
/// not by Glue's own code.
/// </summary>
public class StockGrpcTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(2);
    private static readonly string Script = Path.Combine(InteropTools.Folder, "stock_grpc.py");

    [RequiresGrpcioFact]
    public async Task PythonClient_CallsOurServer()
    {
        using IHost host = await StartServerAsync();
        string contract = typeof(IInterop).FullName!;
        await CheckRunAsync(
            InteropTools.Python, [Script, "client", TargetOf(host), contract, "DoubleAsync", .. Numbers()]);
        await host.StopAsync();
    }

    [RequiresGrpcJsFact]
    public async Task NodeClient_CallsOurServer()
    {
        using IHost host = await StartServerAsync();
        await CheckRunAsync(
            "node", [Path.Combine(InteropTools.Folder, "js", "stock_grpc.js"), TargetOf(host), .. Numbers()]);
        await host.StopAsync();
    }

    [RequiresGrpcioFact]
    public Task OurClient_OverALink_CallsAPythonServer() => CheckOurClientAsync(GlueTransport.Link);

    [RequiresGrpcioFact]
    public Task OurClient_WithUnaryCalls_CallsAPythonServer() => CheckOurClientAsync(GlueTransport.Unary);

    private static async Task CheckOurClientAsync(GlueTransport transport)
    {
        await using ChildProcess server = ChildProcess.Start(InteropTools.Python, [Script, "server"]);
        string port = await server.WaitForLineAsync(line => int.TryParse(line, out _), Bound);
        await using var client = new GlueClient(
            new GlueClientOptions { Transport = transport, DeadlineDefault = Bound, ConnectTimeout = Bound });
        IInterop proxy = client.CreateProxy<IInterop>($"http://127.0.0.1:{port}");
        int[] answers = await Task.WhenAll(Enumerable.Range(0, 200).Select(proxy.DoubleAsync));
        // The stock server echoes the argument, so the double is the number itself.
        Assert.Equal(Enumerable.Range(0, 200), answers);
    }

    private static async Task CheckRunAsync(string program, string[] arguments)
    {
        await using ChildProcess process = ChildProcess.Start(program, arguments);
        int exitCode = await process.WaitForExitAsync(Bound);
        Assert.True(exitCode == 0, string.Join(Environment.NewLine, process.Lines));
    }

    private static async Task<IHost> StartServerAsync()
    {
        HostApplicationBuilder builder
            = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddGlueServer(options => options.ListenAddress = "http://127.0.0.1:0")
            .AddService<IInterop, InteropService>();
        IHost host = builder.Build();
        await host.StartAsync();
        return host;
    }

    private static string TargetOf(IHost host)
        => new Uri(host.Services.GetRequiredService<GlueListener>().Address!).Authority;

    private static string[] Numbers()
    {
        var serializer = new SlimSerializer(new SlimOptions { Schema = SlimSchema.Known }.Allow<int>());
        string contract = typeof(IInterop).FullName!;
        ulong layout = SlimLayouts.FingerprintOf(serializer, typeof(int));
        byte[] layouts = new byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(layouts, layout);
        BinaryPrimitives.WriteUInt64LittleEndian(layouts.AsSpan(8), layout);
        return
        [
            HexOf(XxHash3.Hash(Encoding.UTF8.GetBytes(contract))),
            HexOf(XxHash3.Hash(Encoding.UTF8.GetBytes(
                $"{contract}|{contract}|DoubleAsync(System.Int32):System.Int32"))),
            HexOf(XxHash3.Hash(layouts)),
            MessageOf(serializer, 21),
            MessageOf(serializer, 42),
        ];
    }

    private static string HexOf(ulong hash)
    {
        byte[] bytes = new byte[8];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, hash);
        return Convert.ToHexString(bytes);
    }

    private static string MessageOf(SlimSerializer serializer, int value)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        var writer = new SlimMessageWriter(serializer);
        writer.Begin(output);
        writer.Write(value);
        writer.Complete();
        return Convert.ToHexString(output.WrittenSpan);
    }
}
