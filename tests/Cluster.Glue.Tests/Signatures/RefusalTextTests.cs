using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Tests.Versions;

namespace Cluster.Glue.Tests.Signatures;

/// <summary>A refusal of a contract or method names the address, what was called with its types, and what the server
/// offers.</summary>
[Trait("Case", "repair-D")]
public sealed class RefusalTextTests
{
    private const string Server = """
        namespace Shop;
        public interface IOrders { Task<int> CountAsync(long shelf, string name); Task PayAsync(); }
        public sealed class Orders : IOrders
        {
            public Task<int> CountAsync(long shelf, string name) => Task.FromResult(1);
            public Task PayAsync() => Task.CompletedTask;
        }
        """;

    private const string Caller = """
        namespace Shop;
        public interface IOrders
        {
            Task<int> CountAsync(int shelf, List<string> names, CancellationToken token);
            Task<string> CancelAsync(Guid order);
        }
        public static class Program
        {
            public static async Task<string> Count(IOrders orders) => $"{await orders.CountAsync(1, [], default)}";
            public static Task<string> Cancel(IOrders orders) => orders.CancelAsync(Guid.Empty);
        }
        """;

    [Theory]
    [CombinatorialBindings]
    public async Task MethodThatTheServerLacks_IsNamedWithItsTypes_AndTheServersMethods(VersionTests.Binding binding)
    {
        await using var pair = await VersionedPair.StartAsync(Caller, Server, binding);
        for (var round = 0; round < 2; round++)
        {
            var refusal = await Assert.ThrowsAsync<GlueException>(() => pair.CallAsync("Cancel"));
            Assert.Equal(GlueErrorCode.UnknownMethod, refusal.Code);
            Assert.Equal(
                $"{pair.Address} refuses Shop.IOrders.CancelAsync(System.Guid) : System.String. This server offers no "
                + "method Shop.IOrders.CancelAsync. It offers: CountAsync(System.Int64, System.String) : System.Int32; "
                + "PayAsync() : void.",
                refusal.Message);
        }
    }

    [Theory]
    [CombinatorialBindings]
    public async Task MethodWithOtherTypes_IsNamedWithBothSidesTypes(VersionTests.Binding binding)
    {
        await using var pair = await VersionedPair.StartAsync(Caller, Server, binding);
        var refusal = await Assert.ThrowsAsync<GlueException>(() => pair.CallAsync("Count"));
        Assert.Equal(GlueErrorCode.SignatureMismatch, refusal.Code);
        Assert.Equal(
            $"{pair.Address} refuses Shop.IOrders.CountAsync(System.Int32, "
            + "System.Collections.Generic.List`1<System.String>) : System.Int32. Shop.IOrders.CountAsync has other "
            + "parameter or result types on this server. It offers: CountAsync(System.Int64, System.String) : "
            + "System.Int32.",
            refusal.Message);
    }

    [Theory]
    [InlineData(nameof(SemanticBinding.Link))]
    [InlineData(nameof(SemanticBinding.Unary))]
    [InlineData(nameof(SemanticBinding.InProcess))]
    public async Task ContractThatTheServerLacks_IsNamed_AndABoundedNumberOfItsContracts(string binding)
    {
        var way = SemanticBinding.Of(binding);
        await using var host = await GlueHost.StartAsync(way.Configure);
        var options = new GlueClientOptions { DefaultDeadline = TimeSpan.FromMinutes(1) };
        way.Configure(options);
        await using var client = new GlueClient(options);
        var address = way.TargetOf(host.Address);
        var refusal = await Assert.ThrowsAsync<GlueException>(() => client.CreateProxy<INotOffered>(address).GoAsync());
        Assert.Equal(GlueErrorCode.UnknownContract, refusal.Code);
        Assert.StartsWith(
            $"{address} refuses {typeof(INotOffered)}.GoAsync() : void. This server does not offer the contract "
            + $"{typeof(INotOffered)}. It offers: Cluster.Glue.Tests.",
            refusal.Message,
            StringComparison.Ordinal);
        Assert.Matches("(; [^;]+){7}; and [0-9]+ more[.]$", refusal.Message);
    }

    /// <summary>A caller without proof does not learn which contracts others may call.</summary>
    [Fact]
    public async Task ContractForPeers_IsNotListedForStrangers()
    {
        await using var host = await GlueHost.StartAsync(
            addServices: glue => glue.AddService<IRibbonBox, RibbonBox>(audience: GlueAudience.Peers));
        await using var client = new GlueClient();
        var refusal = await Assert.ThrowsAsync<GlueException>(
            () => client.CreateProxy<INotOffered>(host.Address).GoAsync());
        Assert.EndsWith("It offers no contract to this caller.", refusal.Message, StringComparison.Ordinal);
    }
}
