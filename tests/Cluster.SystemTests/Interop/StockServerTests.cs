using Cluster.Contracts;
using Cluster.Glue;
using Cluster.Testing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.SystemTests.Interop;

/// <summary>Our client calls stock gRPC servers: Python's grpcio, Node's grpc-js and C#'s Grpc.AspNetCore.</summary>
public class StockServerTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(2);

    [RequiresGrpcioFact]
    public Task OverALinkOfOneStream_APythonServerAnswers() => CheckCallsAsync(InteropTools.Python, GlueTransport.Link);

    [RequiresGrpcioFact]
    public Task WithUnaryCalls_APythonServerAnswers() => CheckCallsAsync(InteropTools.Python, GlueTransport.Unary);

    [RequiresGrpcioFact]
    public Task ThroughCuts_APythonServerAnswersOnce() => CheckCutsAsync(InteropTools.Python);

    [RequiresGrpcioFact]
    public Task RefusalsOfAPythonServer_AreTyped() => CheckRefusalsAsync(InteropTools.Python);

    [RequiresGrpcJsFact]
    public Task OverALinkOfOneStream_ANodeServerAnswers() => CheckCallsAsync(InteropTools.Node, GlueTransport.Link);

    [RequiresGrpcJsFact]
    public Task WithUnaryCalls_ANodeServerAnswers() => CheckCallsAsync(InteropTools.Node, GlueTransport.Unary);

    [RequiresGrpcJsFact]
    public Task ThroughCuts_ANodeServerAnswersOnce() => CheckCutsAsync(InteropTools.Node);

    [RequiresGrpcJsFact]
    public Task RefusalsOfANodeServer_AreTyped() => CheckRefusalsAsync(InteropTools.Node);

    [RequiresGrpcioFact]
    [Trait("Case", "glue-73")]
    public Task OverALink_APythonServerAnswers_Compressed() =>
        CheckCompressedAsync(InteropTools.Python, GlueTransport.Link, ["--compress"]);

    [RequiresGrpcioFact]
    [Trait("Case", "glue-73")]
    public Task WithUnaryCalls_APythonServerAnswers_Compressed() =>
        CheckCompressedAsync(InteropTools.Python, GlueTransport.Unary, ["--compress"]);

    [RequiresGrpcJsFact]
    [Trait("Case", "glue-73")]
    public Task OverALink_ANodeServerReads_Compressed() =>
        CheckCompressedAsync(InteropTools.Node, GlueTransport.Link, []);

    [RequiresGrpcJsFact]
    [Trait("Case", "glue-73")]
    public Task WithUnaryCalls_ANodeServerReads_Compressed() =>
        CheckCompressedAsync(InteropTools.Node, GlueTransport.Unary, []);

    [Fact]
    [Trait("Case", "transport-8")]
    public Task OverALinkOfOneStream_ACSharpServerAnswers() => CheckCallsAsync(InteropTools.CSharp, GlueTransport.Link);

    [Fact]
    [Trait("Case", "transport-8")]
    public Task WithUnaryCalls_ACSharpServerAnswers() => CheckCallsAsync(InteropTools.CSharp, GlueTransport.Unary);

    [Fact]
    [Trait("Case", "transport-8")]
    public Task ThroughCuts_ACSharpServerAnswersOnce() => CheckCutsAsync(InteropTools.CSharp);

    [Fact]
    [Trait("Case", "transport-8")]
    public Task RefusalsOfACSharpServer_AreTyped() => CheckRefusalsAsync(InteropTools.CSharp);

    [Fact]
    [Trait("Case", "transport-8")]
    public Task OverALink_ACSharpServerAnswers_Compressed() =>
        CheckCompressedAsync(InteropTools.CSharp, GlueTransport.Link, ["--compress"]);

    [Fact]
    [Trait("Case", "transport-8")]
    public Task WithUnaryCalls_ACSharpServerAnswers_Compressed() =>
        CheckCompressedAsync(InteropTools.CSharp, GlueTransport.Unary, ["--compress"]);

    /// <summary>The gRPC server offers only another service.</summary>
    [Theory]
    [InlineData(GlueTransport.Link, GlueErrorCode.HandshakeRefused, GlueDelivery.NotDelivered)]
    [InlineData(GlueTransport.Unary, GlueErrorCode.ServerStatus, GlueDelivery.Unknown)]
    [Trait("Case", "transport-8")]
    public async Task CSharpServerWithoutTheService_IsNamed_WithItsStatusAndText(
        GlueTransport transport, GlueErrorCode code, GlueDelivery delivery)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddGrpc();
        builder.Services.AddGrpcHealthChecks();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(
            IPAddress.Loopback, 0, endpoint => endpoint.Protocols = HttpProtocols.Http2));
        await using var app = builder.Build();
        app.MapGrpcHealthChecksService();
        await app.StartAsync();
        await using var client = new GlueClient(OptionsOf(transport));
        var refused = await Assert.ThrowsAsync<GlueException>(
            () => client.CreateProxy<IInterop>(app.Urls.First()).DoubleAsync(1));
        Assert.Equal((code, delivery), (refused.Code, refused.Delivery));
        Assert.Contains("Service is unimplemented.", refused.Message, StringComparison.Ordinal);
    }

    // Node's server reads gzip but does not write it.
    private static async Task CheckCompressedAsync(string program, GlueTransport transport, string[] arguments)
    {
        using var facts = new InteropFacts(isText: true);
        await ServeAsync(program, facts, arguments, async address =>
        {
            await using var relay = new CountingRelay(address);
            var options = OptionsOf(transport);
            options.Compression = GlueCompression.Gzip;
            await using var client = new GlueClient(options);
            var proxy = client.CreateProxy<IInterop>(relay.Address);
            Assert.Equal(4, await proxy.DoubleAsync(4));
            Assert.Equal(facts.Large, await proxy.EchoAsync(facts.Large));
            Assert.InRange(relay.BytesToServer, 1000, InteropFacts.LargeBytes / 2);
            if (arguments.Length > 0)
                Assert.InRange(relay.BytesToClient, 1000, InteropFacts.LargeBytes / 2);
        });
    }

    private static Task CheckCallsAsync(string program, GlueTransport transport) =>
        RunAsync(program, transport, [], async proxy =>
        {
            var answers = await Task.WhenAll(Enumerable.Range(0, 200).Select(proxy.DoubleAsync));
            Assert.Equal(Enumerable.Range(0, 200), answers);
            var large = InteropFacts.LargeArray();
            Assert.Equal(large, await proxy.EchoAsync(large));
            var failure = await Assert.ThrowsAsync<RemoteException>(() => proxy.FailAsync(InteropFacts.Failure));
            Assert.Equal(("Stock.Failure", InteropFacts.Failure), (failure.TypeName, failure.Message));
            for (var i = 0; i < 5; i++)
                await proxy.NoteAsync(i);
            await Eventually.TrueAsync(async () => await proxy.NotesAsync() == 5, Bound);
            if (transport == GlueTransport.Link)
            {
                var missing = await Assert.ThrowsAsync<GlueException>(proxy.MissingAsync);
                Assert.Equal((GlueErrorCode.UnknownMethod, GlueDelivery.NotDelivered), (missing.Code, missing.Delivery));
            }
        });

    private static Task CheckCutsAsync(string program) =>
        RunAsync(program, GlueTransport.Link, ["--window", "60000", "--cut", "5"], async proxy =>
        {
            var seen = new List<int>();
            while (seen.Count < 200)
                seen.AddRange(await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => proxy.NextAsync())));
            Assert.Equal(Enumerable.Range(1, 200), seen.Order());
        });

    private static async Task CheckRefusalsAsync(string program)
    {
        await CheckRefusedAsync(program, "UNIMPLEMENTED", GlueTransport.Link, GlueErrorCode.HandshakeRefused);
        // A status from a server that is not Glue does not say whether the method has run.
        await CheckRefusedAsync(
            program, "UNIMPLEMENTED", GlueTransport.Unary, GlueErrorCode.ServerStatus, GlueDelivery.Unknown);
        await CheckRefusedAsync(program, "UNAVAILABLE", GlueTransport.Link, GlueErrorCode.Draining);
    }

    private static Task CheckRefusedAsync(
        string program,
        string status,
        GlueTransport transport,
        GlueErrorCode expected,
        GlueDelivery delivery = GlueDelivery.NotDelivered) =>
        RunAsync(program, transport, ["--refuse", status], async proxy =>
        {
            var refused = await Assert.ThrowsAsync<GlueException>(() => proxy.DoubleAsync(1));
            Assert.Equal((expected, delivery), (refused.Code, refused.Delivery));
            Assert.Contains("refused by the test", refused.Message, StringComparison.Ordinal);
        });

    private static async Task RunAsync(
        string program, GlueTransport transport, string[] arguments, Func<IInterop, Task> check)
    {
        using var facts = new InteropFacts();
        await ServeAsync(program, facts, arguments, async address =>
        {
            await using var client = new GlueClient(OptionsOf(transport));
            await check(client.CreateProxy<IInterop>(address));
        });
    }

    private static async Task ServeAsync(
        string program, InteropFacts facts, string[] arguments, Func<string, Task> check)
    {
        if (program == InteropTools.CSharp)
        {
            await using var stock = await StockGlueServer.StartAsync(
                StockFacts.Load(facts.Path), StockServerPlan.Parse(arguments));
            await check(stock.Address);
            return;
        }

        await using var server = ChildProcess.Start(
            program, [InteropTools.ScriptOf(program, "stock_server"), facts.Path, .. arguments]);
        var port = await server.WaitForLineAsync(line => int.TryParse(line, out _), Bound);
        try
        {
            await check($"http://127.0.0.1:{port}");
        }
        catch (Exception exception)
        {
            Assert.Fail($"{exception}{Environment.NewLine}{server.Output}");
        }
    }

    private static GlueClientOptions OptionsOf(GlueTransport transport) => new()
    {
        Transport = transport,
        DefaultDeadline = Bound,
        ConnectTimeout = Bound,
        ResumeWindow = Bound,
    };
}
