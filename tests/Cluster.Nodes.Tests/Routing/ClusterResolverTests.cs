using Cluster.Nodes.Tests.Clusters;
using Cluster.Nodes.Tests.Routing.Generated;
using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Grpc.Net.Client;
using Grpc.Net.Client.Balancer;
using Grpc.Net.Client.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Routing;

/// <summary>Plain gRPC clients find the services of the cluster on the nodes that serve them at the moment.</summary>
public sealed class ClusterResolverTests(ITestOutputHelper output)
{
    [Fact]
    [Trait("Case", "transport-5")]
    public async Task Channel_FollowsTheNodesThatOfferItsService()
    {
        await using var cluster = new ClusterFixture(StoreKind.Memory, output);
        var caller = await cluster.Create("caller").StartAsync();
        var first = await cluster.Create("first").OfferGrpcGreeter().StartAsync();
        using var channel = OpenSample(caller.Host.Services);
        var greeter = new NodeGreeter.NodeGreeterClient(channel);
        await AnsweredByAsync(greeter, "first");

        await cluster.Create("second").OfferGrpcGreeter().StartAsync();
        await AnsweredByAsync(greeter, "first", "second");

        await first.StopAsync();
        await AnsweredByAsync(greeter, "second");
    }

    [Fact]
    [Trait("Case", "transport-5")]
    public async Task Service_ThatNobodyOffers_IsNamed()
    {
        await using var cluster = new ClusterFixture(StoreKind.Memory, output);
        var caller = await cluster.Create("caller").StartAsync();
        using var channel = GrpcChannel.ForAddress("cluster:///nobodys.Service", new GrpcChannelOptions
        {
            Credentials = ChannelCredentials.Insecure,
            ServiceProvider = caller.Host.Services,
        });
        var refusal = await Assert.ThrowsAsync<RpcException>(
            () => new NodeGreeter.NodeGreeterClient(channel).WhoAreYouAsync(new Empty()).ResponseAsync);
        Assert.Equal(StatusCode.Unavailable, refusal.StatusCode);
        Assert.Contains("offers 'nobodys.Service'", refusal.Status.Detail, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Channel_DisposedOfWhileItTakesAddresses_LogsNoError()
    {
        await using var cluster = new ClusterFixture(StoreKind.Memory, output);
        var node = await cluster.Create("node").OfferGrpcGreeter().StartAsync();
        var balancers = new DisposingBalancerFactory();
        await using var services = new ServiceCollection()
            .AddSingleton(node.Host.Services.GetRequiredService<ILoggerFactory>())
            .AddSingleton(node.Host.Services.GetRequiredService<ResolverFactory>())
            .AddSingleton<LoadBalancerFactory>(balancers)
            .BuildServiceProvider();
        using var channel = GrpcChannel.ForAddress("cluster:///tests.v1.NodeGreeter", new GrpcChannelOptions
        {
            Credentials = ChannelCredentials.Insecure,
            ServiceProvider = services,
            ServiceConfig = new ServiceConfig { LoadBalancingConfigs = { new LoadBalancingConfig(balancers.Name) } },
        });
        balancers.Channel = channel;

        // gRPC does not complete this task after the channel's end, so the test does not wait for it.
        _ = channel.ConnectAsync();
        var refusal = await balancers.Refusal.WaitAsync(ClusterFixture.WaitBudget);

        // If gRPC has logged an error, the fixture fails the test.
        Assert.IsType<ObjectDisposedException>(refusal);
    }

    private static GrpcChannel OpenSample(IServiceProvider services)
    {
        // <snippet:resolver>
        // On the nodes that serve it: cluster.AddGrpcService<GreeterService>("tests.v1.NodeGreeter");
        var channel = GrpcChannel.ForAddress("cluster:///tests.v1.NodeGreeter", new GrpcChannelOptions
        {
            Credentials = ChannelCredentials.Insecure,
            ServiceProvider = services,                              // of a host with AddCluster
            ServiceConfig = new ServiceConfig { LoadBalancingConfigs = { new RoundRobinConfig() } },
        });
        // </snippet:resolver>
        return channel;
    }

    /// <summary>Waits until these nodes, and no others, answer a number of calls in a row.</summary>
    private static Task AnsweredByAsync(NodeGreeter.NodeGreeterClient greeter, params string[] names) =>
        Testing.Eventually.TrueAsync(
            async () =>
            {
                var answered = new SortedSet<string>();
                for (var call = 0; call < 8; call++)
                    answered.Add(await AskAsync(greeter));
                return answered.SetEquals(names);
            },
            ClusterFixture.WaitBudget,
            $"answers of {string.Join(" and ", names)}");

    // The client may not know yet that a node has left. The call then fails because nothing listens at its address.
    private static async Task<string> AskAsync(NodeGreeter.NodeGreeterClient greeter)
    {
        try
        {
            return (await greeter.WhoAreYouAsync(new Empty())).Value;
        }
        catch (RpcException gone) when (gone.StatusCode == StatusCode.Unavailable)
        {
            return "nobody";
        }
    }
}
