using Cluster.Glue.Authorization;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Hosting;
using Cluster.Nodes.Stores.Files;
using Cluster.Nodes.Stores.Memory;
using Cluster.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Tests.Configuration;

/// <summary>The sources from which a process gets the cluster's secret. No output shows the secret.</summary>
[Trait("Case", "repair-A3")]
public sealed class PeerTrustTests : IDisposable
{
    private const string Configured = "a secret of thirty characters";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Secret_OfTheConfiguration_IsTakenWithTheAlternateBehindIt()
    {
        var trust = Find(
            SharedStore, ("Cluster:Secret", Configured), ("Cluster:AlternateSecret", "another secret, also long enough"));
        Assert.False(trust.IsOpen);
        Assert.Equal(2, trust.Identity.Secrets.Count);
        Assert.Null(trust.Identity.Realm);
    }

    [Fact]
    public void Secret_ThatIsNotConfigured_IsRandomInOneProcessAndOpenInASharedStoreOnLoopback()
    {
        Assert.False(Find(cluster => cluster.UseInMemoryStore()).IsOpen);
        Assert.True(Find(SharedStore).IsOpen);
    }

    [Fact]
    public async Task Secret_OfTheFileStore_IsMadeOnceForAllProcessesThatStartTogether()
    {
        var made = 0;
        var read = await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => Task.Run(async () =>
        {
            await using var store = new FileClusterStore(_folder.Path, "shop", TimeProvider.System);
            return store.ReadSecret(() => $"secret {Interlocked.Increment(ref made)} {PeerTrust.MakeText()}");
        })));
        Assert.Single(read.Distinct());
        var files = Directory.GetFiles(Path.Combine(_folder.Path, "shop"), "secret*");
        var file = Assert.Single(files);
        Assert.Equal(read[0], (await File.ReadAllTextAsync(file)).Trim());
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file));
    }

    [Fact]
    public void Secret_TooShort_IsRefusedByNameAndNotShown()
    {
        var failure = Assert.Throws<ClusterStartException>(
            () => Find(SharedStore, ("Cluster:Secret", "opensesame"), ("Cluster:AlternateSecret", "sesame")));
        Assert.Contains("Cluster:Secret is shorter than 16 bytes", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Cluster:AlternateSecret is shorter", failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("sesame", failure.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Cluster:ListenAddress", "http://10.1.2.3:7000")]
    [InlineData("Cluster:PeerListenAddress", "http://node-1.example:7100")]
    public void SharedStoreBeyondLoopback_WithoutASecret_DoesNotStartAndSaysWhereToSetIt(string path, string address)
    {
        var failure = Assert.Throws<ClusterStartException>(() => Find(SharedStore, (path, address)));
        Assert.Equal(ClusterExitCode.ConfigurationInvalid, failure.ExitCode);
        Assert.Contains($"listens at {address}", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Cluster:Secret in the configuration", failure.Message, StringComparison.Ordinal);
        Assert.Contains("variable Cluster__Secret", failure.Message, StringComparison.Ordinal);
        Assert.False(Find(SharedStore, (path, address), ("Cluster:Secret", Configured)).IsOpen);
        Assert.True(Find(SharedStore, (path, address), ("Cluster:Role", "Client")).IsOpen);
    }

    [Fact]
    public void AlternateSecret_WithoutASecret_IsAProblem()
    {
        var failure = Assert.Throws<ClusterStartException>(() => Find(SharedStore, ("Cluster:AlternateSecret", Configured)));
        Assert.Contains("Cluster:AlternateSecret is set without Cluster:Secret", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Secret_InOptionsAndSettings_ShowsNoText()
    {
        var options = new ClusterOptions { Secret = new GlueSecret(Configured) };
        Assert.DoesNotContain(Configured, $"{ClusterSettings.From(options)}", StringComparison.Ordinal);
        Assert.DoesNotContain(Configured, System.Text.Json.JsonSerializer.Serialize(options), StringComparison.Ordinal);
    }

    private static void SharedStore(ClusterBuilder cluster) =>
        cluster.UseStore(_ => new InMemoryClusterStore(new InMemoryClusterHub(), "shop", TimeProvider.System));

    private static PeerTrust Find(Action<ClusterBuilder> use, params (string Path, string Value)[] values)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(
            values.Select(value => new KeyValuePair<string, string?>(value.Path, value.Value)));
        use(builder.AddCluster());
        using var provider = builder.Services.BuildServiceProvider();
        return provider.GetRequiredService<PeerTrust>();
    }
}
