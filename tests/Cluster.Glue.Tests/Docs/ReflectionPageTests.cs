using Cluster.Glue.Tests.Semantics;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Grpc.Net.Client;
using Grpc.Reflection.V1Alpha;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Tests.V1;

namespace Cluster.Glue.Tests.Docs;

/// <summary>Reflection of gRPC beside Glue, as docs/glue.md shows it: a stock reflection client finds the services and
/// what they consist of.</summary>
public sealed class ReflectionPageTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    [Trait("Case", "transport-4")]
    public async Task Listener_TellsItsServices_ByReflection()
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        // <snippet:reflection>
        builder.Services.AddGrpcReflection();                    // package Grpc.AspNetCore.Server.Reflection
        builder.Services
            .AddGlueServer(options => options.ListenAddress = "http://127.0.0.1:0")
            .AddService<ICounter, Counter>()
            .MapEndpoints(endpoints =>
            {
                endpoints.MapGrpcService<PoliteGreeter>();
                endpoints.MapGrpcReflectionService();
            });
        // </snippet:reflection>
        using var host = builder.Build();
        await host.StartAsync();
        await CheckAsync(host.Services.GetRequiredService<GlueListener>().Address!);
        await host.StopAsync();
    }

    [Fact]
    [Trait("Case", "transport-4")]
    public async Task HostThatMapsGlue_TellsItsServices_ByReflection()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddGrpcReflection();
        builder.Services.AddGlueServer().AddService<ICounter, Counter>();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(
            IPAddress.Loopback, 0, static endpoint => endpoint.Protocols = HttpProtocols.Http2));
        await using var app = builder.Build();
        app.MapGlue();
        app.MapGrpcHealthChecksService();
        app.MapGrpcService<PoliteGreeter>();
        app.MapGrpcReflectionService();
        await app.StartAsync();
        await CheckAsync(app.Urls.First());
    }

    private static async Task CheckAsync(string address)
    {
        using var channel = GrpcChannel.ForAddress(address);
        using var asking =
            new ServerReflection.ServerReflectionClient(channel).ServerReflectionInfo();
        var listed = await AskAsync(asking, new ServerReflectionRequest { ListServices = "" });
        string[] names = [.. listed.ListServicesResponse.Service.Select(static one => one.Name)];
        Assert.Contains("tests.v1.Greeter", names);
        Assert.Contains("grpc.health.v1.Health", names);
        // Bound by hand, and so without a description.
        Assert.DoesNotContain("glue.v1.Glue", names);

        var found = await AskAsync(
            asking, new ServerReflectionRequest { FileContainingSymbol = "tests.v1.Greeter" });
        var file = found.FileDescriptorResponse.FileDescriptorProto
            .Select(static bytes => FileDescriptorProto.Parser.ParseFrom(bytes))
            .Single(static one => one.Package == "tests.v1");
        Assert.Equal("Greet", Assert.Single(Assert.Single(file.Service).Method).Name);
        await asking.RequestStream.CompleteAsync();

        await using var client = new GlueClient();
        Assert.Equal(1, await client.CreateProxy<ICounter>(address).NextAsync().WaitAsync(Bound));
    }

    private static async Task<ServerReflectionResponse> AskAsync(
        AsyncDuplexStreamingCall<ServerReflectionRequest, ServerReflectionResponse> asking,
        ServerReflectionRequest request)
    {
        await asking.RequestStream.WriteAsync(request).WaitAsync(Bound);
        Assert.True(await asking.ResponseStream.MoveNext(CancellationToken.None).WaitAsync(Bound));
        return asking.ResponseStream.Current;
    }

    private sealed class PoliteGreeter : Greeter.GreeterBase
    {
        public override Task<StringValue> Greet(StringValue request, ServerCallContext context) =>
            Task.FromResult(new StringValue { Value = $"Hello {request.Value}" });
    }
}
