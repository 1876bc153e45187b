using Cluster.Nodes.Stores;
using Cluster.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>The sources of the options. All problems of the options are reported together and without the
/// token.</summary>
public sealed class ConsulOptionsTests
{
    [Theory]
    [InlineData("http://127.0.0.1:8500")]
    [InlineData("https://consul.example:8501/")]
    public void Address_OfAnAgent_IsTaken(string address) =>
        Assert.Empty(ConsulOptionsRules.FindProblems(new ConsulOptions { Address = address, Token = "secret" }));

    [Theory]
    [InlineData("")]
    [InlineData("consul:8500")]
    [InlineData("ftp://127.0.0.1")]
    [InlineData("http://127.0.0.1:8500/v1")]
    [InlineData("http://user@127.0.0.1:8500")]
    [InlineData("http://127.0.0.1:8500?dc=1")]
    public void Address_OfSomethingElse_IsToldWithItsPath(string address)
    {
        var problem = Assert.Single(ConsulOptionsRules.FindProblems(new ConsulOptions { Address = address }));
        Assert.StartsWith($"Cluster:Consul:Address is '{address}'", problem, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("two words")]
    [InlineData("line\r\nX-Other: 1")]
    public void Token_ThatIsNoHeader_IsToldWithoutShowingIt(string token)
    {
        var problem = Assert.Single(ConsulOptionsRules.FindProblems(new ConsulOptions { Token = token }));
        Assert.StartsWith("Cluster:Consul:Token must be", problem, StringComparison.Ordinal);
        Assert.DoesNotContain("X-Other", problem, StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Case", "repair-A10")]
    [InlineData("http://consul.example:8500")]
    [InlineData("http://10.0.0.7:8500")]
    [InlineData("http://[2001:db8::7]:8500")]
    public void Token_OverPlainHttpToAnotherMachine_IsRefusedUnlessAllowed(string address)
    {
        var options = new ConsulOptions { Address = address, Token = "token-of-the-test" };
        var problem = Assert.Single(ConsulOptionsRules.FindProblems(options));
        Assert.Contains("Cluster:Consul:AllowTokenOverHttp", problem, StringComparison.Ordinal);
        Assert.Contains("https", problem, StringComparison.Ordinal);
        Assert.DoesNotContain("token-of-the-test", problem, StringComparison.Ordinal);

        options.AllowTokenOverHttp = true;
        Assert.Empty(ConsulOptionsRules.FindProblems(options));
        Assert.Empty(ConsulOptionsRules.FindProblems(new ConsulOptions { Address = address }));
    }

    [Theory]
    [Trait("Case", "repair-A10")]
    [InlineData("http://127.0.0.1:8500")]
    [InlineData("http://localhost:8500")]
    [InlineData("http://[::1]:8500")]
    [InlineData("https://consul.example:8501")]
    public void Token_OverHttpsOrLoopback_IsTaken(string address) =>
        Assert.Empty(ConsulOptionsRules.FindProblems(new ConsulOptions { Address = address, Token = "token-of-the-test" }));

    [Fact]
    public void Create_UnusableOptions_TellsAllProblems()
    {
        var failure = Assert.Throws<ArgumentException>(() => ConsulClusterStore.Create(
            "shop", new ConsulOptions { Address = "x", Token = "" }, TimeProvider.System, new LogRecorder().Factory));
        Assert.Contains("Cluster:Consul:Address", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Cluster:Consul:Token", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void UseConsul_BadConfiguration_IsToldTogetherWithTheClustersOwnProblems()
    {
        using var host = Build(
            ("Cluster:Name", "a/b"), ("Cluster:Consul:Address", "nowhere"), ("Cluster:Consul:Token", "two words"));

        var failure = Assert.Throws<OptionsValidationException>(
            () => host.Services.GetRequiredService<IOptions<ClusterOptions>>().Value);
        Assert.Contains(failure.Failures, problem => problem.Contains("Cluster:Name", StringComparison.Ordinal));
        Assert.Contains(failure.Failures, problem => problem.Contains("Cluster:Consul:Address", StringComparison.Ordinal));
        Assert.Contains(failure.Failures, problem => problem.Contains("Cluster:Consul:Token", StringComparison.Ordinal));
    }

    [Fact]
    public async Task UseConsul_GoodConfiguration_OpensTheStoreThere()
    {
        using var host = Build(("Cluster:Name", "shop"), ("Cluster:Consul:Address", "http://127.0.0.1:8599"));

        var store = Assert.IsType<ConsulClusterStore>(host.Services.GetRequiredService<IClusterStore>());
        Assert.Equal("store of cluster 'shop' in Consul at http://127.0.0.1:8599", store.Description);
        await store.DisposeAsync();
    }

    private static IHost Build(params (string Path, string Value)[] settings)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddInMemoryCollection(
            settings.Select(setting => KeyValuePair.Create(setting.Path, (string?)setting.Value)));
        builder.AddCluster().UseConsul();
        return builder.Build();
    }
}
