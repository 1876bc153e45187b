using Cluster.Glue;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.SystemTests.Interop;

/// <summary>Stock gRPC clients (Python's grpcio, Node's grpc-js and C#'s Grpc.Net.Client) call our server. They use
/// only the rules of the wire page and glue.proto.</summary>
public class StockClientTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(2);

    [RequiresGrpcioFact]
    public Task PythonClient_CallsUnary() => CheckAsync(InteropTools.Python, "unary");

    [RequiresGrpcioFact]
    public Task PythonClient_CallsOverALink() => CheckAsync(InteropTools.Python, "link");

    [RequiresGrpcioFact]
    public Task PythonClient_ResumesALinkThroughCuts() => CheckAsync(InteropTools.Python, "resume");

    [RequiresGrpcioFact]
    public Task PythonClient_IsRefusedWithStatusAndReason() => CheckAsync(InteropTools.Python, "refusals");

    [RequiresGrpcioFact]
    [Trait("Case", "glue-73")]
    public Task PythonClient_CallsUnary_Compressed() => CheckCompressedAsync(InteropTools.Python, "unary");

    [RequiresGrpcioFact]
    [Trait("Case", "glue-73")]
    public Task PythonClient_CallsOverALink_Compressed() => CheckCompressedAsync(InteropTools.Python, "link");

    [RequiresGrpcJsFact]
    [Trait("Case", "glue-73")]
    public Task NodeClient_CallsUnary_Compressed() => CheckCompressedAsync(InteropTools.Node, "unary");

    [RequiresGrpcJsFact]
    [Trait("Case", "glue-73")]
    public Task NodeClient_CallsOverALink_Compressed() => CheckCompressedAsync(InteropTools.Node, "link");

    [RequiresGrpcJsFact]
    public Task NodeClient_CallsUnary() => CheckAsync(InteropTools.Node, "unary");

    [RequiresGrpcJsFact]
    public Task NodeClient_CallsOverALink() => CheckAsync(InteropTools.Node, "link");

    [RequiresGrpcJsFact]
    public Task NodeClient_ResumesALinkThroughCuts() => CheckAsync(InteropTools.Node, "resume");

    [RequiresGrpcJsFact]
    public Task NodeClient_IsRefusedWithStatusAndReason() => CheckAsync(InteropTools.Node, "refusals");

    [Theory]
    [InlineData("unary")]
    [InlineData("link")]
    [InlineData("resume")]
    [InlineData("refusals")]
    [Trait("Case", "transport-8")]
    public Task CSharpClient_CallsOursAndIsRefusedAsTheOthersAre(string mode) => CheckAsync(InteropTools.CSharp, mode);

    [Theory]
    [InlineData("unary")]
    [InlineData("link")]
    [Trait("Case", "transport-8")]
    public Task CSharpClient_Calls_Compressed(string mode) => CheckCompressedAsync(InteropTools.CSharp, mode);

    private static async Task CheckAsync(string program, string mode)
    {
        // The server logs refusals as warnings. A client reports an unexpected answer itself.
        using var logs = new LogRecorder().Allow(_ => true);
        using var host = await StartServerAsync(logs, GlueCompression.None);
        using var facts = new InteropFacts();
        await RunAsync(program, [mode, AddressOf(host), facts.Path], logs);
        await host.StopAsync();
    }

    // Both sides send text, so compression must make the number of bytes smaller than the text.
    private static async Task CheckCompressedAsync(string program, string mode)
    {
        using var logs = new LogRecorder().Allow(_ => true);
        using var host = await StartServerAsync(logs, GlueCompression.Gzip);
        await using var relay = new CountingRelay(AddressOf(host));
        using var facts = new InteropFacts(isText: true);
        await RunAsync(program, [mode, relay.Address, facts.Path, "gzip"], logs);
        Assert.InRange(relay.BytesToServer, 1000, InteropFacts.LargeBytes / 2);
        Assert.InRange(relay.BytesToClient, 1000, InteropFacts.LargeBytes / 2);
        await host.StopAsync();
    }

    private static string AddressOf(IHost host) => host.Services.GetRequiredService<GlueListener>().Address!;

    private static async Task RunAsync(string program, string[] arguments, LogRecorder logs)
    {
        if (program == InteropTools.CSharp)
        {
            await using var stock = new StockGlueClient(
                arguments[1], StockFacts.Load(arguments[2]), compresses: arguments.Length > 3);
            await stock.CheckAsync(arguments[0]);
            return;
        }

        arguments[1] = new Uri(arguments[1]).Authority;
        await using var client = ChildProcess.Start(
            program, [InteropTools.ScriptOf(program, "stock_client"), .. arguments]);
        var exitCode = await client.WaitForExitAsync(Bound);
        Assert.True(
            exitCode == 0, string.Join(Environment.NewLine, [client.Output, .. logs.Entries.Select(log => $"{log}")]));
        Assert.Contains("ok", client.Lines);
    }

    private static async Task<IHost> StartServerAsync(LogRecorder logs, GlueCompression compression)
    {
        var builder
            = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders().AddProvider(logs.Provider);
        builder.Services
            .AddGlueServer(options =>
            {
                options.ListenAddress = "http://127.0.0.1:0";
                options.ResumeWindow = Bound;
                options.Compression = compression;
            })
            .AddService<IInterop, InteropService>(GlueInstanceMode.Singleton);
        var host = builder.Build();
        await host.StartAsync();
        return host;
    }
}
