using Cluster.Glue.Sessions;
using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Grpc.Health.V1;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Tests.V1;

namespace Cluster.Glue.Tests.Hosting;

/// <summary>A server's own listener serves other gRPC services beside Glue.</summary>
public sealed class OtherServicesTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    [Trait("Case", "transport-4")]
    public async Task Listener_ServesWhatIsMappedOnIt_BesideGlue()
    {
        await using var host = await GlueHost.StartAsync(addServices: static glue =>
        {
            GlueHost.AddSemanticServices(glue);
            glue.MapEndpoints(endpoints => endpoints.MapGrpcService<PoliteGreeter>());
        });
        using var channel = GrpcChannel.ForAddress(host.Address);
        var greeting = await new Greeter.GreeterClient(channel)
            .GreetAsync(new StringValue { Value = "Ada" }).ResponseAsync.WaitAsync(Bound);
        Assert.Equal("Hello Ada", greeting.Value);
        await using var client = new GlueClient();
        Assert.Equal(1, await client.CreateProxy<ICounter>(host.Address).NextAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "transport-4")]
    public async Task Health_IsServed_AndSaysWhenTheServerDrains()
    {
        await using var host = await GlueHost.StartAsync();
        using var channel = GrpcChannel.ForAddress(host.Address);
        var health = new Health.HealthClient(channel);
        Assert.Equal(HealthCheckResponse.Types.ServingStatus.Serving, await StatusOf(health));
        await host.Services.GetRequiredService<ServerRuntime>().DrainAsync();
        Assert.Equal(HealthCheckResponse.Types.ServingStatus.NotServing, await StatusOf(health));
    }

    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    [Trait("Case", "transport-2")]
    public async Task Calls_WriteNoLineToTheLog(GlueTransport transport)
    {
        using var logs = new LogRecorder();
        await using var host = await GlueHost.StartAsync(addServices: glue =>
        {
            GlueHost.AddSemanticServices(glue);
            glue.Services.AddLogging(logging => logging.AddProvider(logs.Provider).SetMinimumLevel(LogLevel.Information));
        });
        await using var client = new GlueClient(new GlueClientOptions { Transport = transport });
        Assert.Equal(1, await client.CreateProxy<ICounter>(host.Address).NextAsync().WaitAsync(Bound));
        var only = Assert.Single(logs.Entries, entry => entry.Category != "Microsoft.Hosting.Lifetime");
        Assert.Equal($"Glue listens on {host.Address}.", only.Message);
    }

    private static async Task<HealthCheckResponse.Types.ServingStatus> StatusOf(Health.HealthClient health) =>
        (await health.CheckAsync(new HealthCheckRequest()).ResponseAsync.WaitAsync(Bound)).Status;

    private sealed class PoliteGreeter : Greeter.GreeterBase
    {
        public override Task<StringValue> Greet(StringValue request, ServerCallContext context) =>
            Task.FromResult(new StringValue { Value = $"Hello {request.Value}" });
    }
}
