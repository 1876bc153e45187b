using Cluster.Nodes.Configuration;
using Cluster.Nodes.Stores.Memory;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Tests.Configuration;

public sealed class ClusterOptionsTests
{
    [Fact]
    public void Defaults_HaveNoProblem()
    {
        var settings = Read();
        Assert.Equal("cluster", settings.Name);
        Assert.Contains(Environment.ProcessId.ToString(System.Globalization.CultureInfo.InvariantCulture), settings.NodeName);
        Assert.Null(settings.PartitionCount);
    }

    [Fact]
    public void Configuration_IsBoundAndTheDelegateWins()
    {
        var settings = Read(
            options => options.InitialNodeCount = 5,
            ("Cluster:Name", "shop"), ("Cluster:InitialNodeCount", "3"), ("Cluster:StartTimeout", "00:00:07"),
            ("Cluster:Bootstrap", "true"), ("Cluster:ProofOfDeath", "storeonly"), ("Cluster:PartitionCount", "256"));
        Assert.Equal(("shop", 5, true, 256), (settings.Name, settings.InitialNodeCount, settings.Bootstrap, settings.PartitionCount));
        Assert.Equal((TimeSpan.FromSeconds(7), ProofOfDeath.StoreOnly), (settings.StartTimeout, settings.ProofOfDeath));
    }

    [Fact]
    public void Problems_AreAllToldAtOnceWithPathValueAndRemedy()
    {
        var failure = Assert.Throws<ClusterStartException>(() => Read(
            null,
            ("Cluster:Name", "a/b"), ("Cluster:NodeName", ".hidden"), ("Cluster:Role", "Boss"), ("Cluster:LivenessPort", "x"),
            ("Cluster:ListenAddress", "ftp://x"), ("Cluster:PartitionCount", "1000"), ("Cluster:InitialNodeCount", "0"),
            ("Cluster:PileBudgetBytes", "12"), ("Cluster:DrainTimeout", "0"), ("Cluster:MaxMovesInFlight", "-4"),
            ("Cluster:Bootstrap", "perhaps"), ("Cluster:StartTimeout", "2.00:00:00")));
        Assert.Equal(ClusterExitCode.ConfigurationInvalid, failure.ExitCode);
        Assert.Contains("12 problems", failure.Message, StringComparison.Ordinal);
        string[] expected =
        [
            "Cluster:Name is 'a/b'", "Cluster:NodeName is '.hidden'", "Cluster:Role is 'Boss'", "Cluster:LivenessPort is 'x'",
            "Cluster:ListenAddress is 'ftp://x'", "Cluster:PartitionCount is '1000'", "Cluster:InitialNodeCount is '0'",
            "Cluster:PileBudgetBytes is '12'", "Cluster:DrainTimeout is '00:00:00'", "Cluster:MaxMovesInFlight is '-4'",
            "Cluster:Bootstrap is 'perhaps'", "Cluster:StartTimeout is '2.00:00:00'",
        ];
        Assert.All(expected, part => Assert.Contains(part, failure.Message, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("http://0.0.0.0:7000")]
    [InlineData("http://[::]:7000")]
    [InlineData("http://127.0.0.1:7000/path")]
    [InlineData("127.0.0.1:7000")]
    [InlineData("")]
    public void ListenAddress_ThatOthersCannotUse_IsAProblem(string address) =>
        CheckProblem("Cluster:ListenAddress", options => options.ListenAddress = address);

    [Fact]
    public void LivenessPort_ThatIsTheServicePort_IsAProblem() => CheckProblem("Cluster:LivenessPort", options =>
    {
        options.ListenAddress = "http://127.0.0.1:7000";
        options.LivenessPort = 7000;
    });

    [Fact]
    public void Client_WithAStoreOfItsOwn_IsAProblem() =>
        CheckProblem("needs a store that it shares", options => options.Role = ClusterRole.Client);

    [Fact]
    public void Composition_TwoStoresAndTwoStatesOfOneName_AreProblems()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddCluster().UseInMemoryStore()
            .UseStore(_ => new InMemoryClusterStore(new InMemoryClusterHub(), "x", TimeProvider.System))
            .AddState<string, string>("a").AddState<int, string>("a");
        var failure = Assert.Throws<ClusterStartException>(() => Settings(builder));
        Assert.Contains("Two cluster stores", failure.Message, StringComparison.Ordinal);
        Assert.Contains("'a' is added twice", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AddCluster_Twice_Throws()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddCluster();
        Assert.Throws<InvalidOperationException>(() => builder.AddCluster());
    }

    private static void CheckProblem(string part, Action<ClusterOptions> configure)
    {
        var failure = Assert.Throws<ClusterStartException>(() => Read(configure));
        Assert.Contains("1 problem", failure.Message, StringComparison.Ordinal);
        Assert.Contains(part, failure.Message, StringComparison.Ordinal);
    }

    private static ClusterSettings Read(Action<ClusterOptions>? configure = null, params (string Path, string Value)[] values)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(
            values.Select(value => new KeyValuePair<string, string?>(value.Path, value.Value)));
        builder.AddCluster(configure);
        return Settings(builder);
    }

    private static ClusterSettings Settings(HostApplicationBuilder builder)
    {
        using var provider = builder.Services.BuildServiceProvider();
        return provider.GetRequiredService<ClusterSettings>();
    }
}
