using Cluster.Glue;
using Cluster.Glue.Authorization;
using Cluster.Glue.Tls;
using Cluster.Nodes.Liveness;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>Nodes that use only TLS and require certificates of each other.</summary>
public sealed class EncryptedClusterTests(ITestOutputHelper output)
{
    [Fact]
    [Trait("Case", "transport-6")]
    public async Task Nodes_WithCertificatesOfOneAuthority_ShareTheirState()
    {
        using var authority = GlueCertificates.CreateForDevelopment();
        await using var cluster = new ClusterFixture(StoreKind.Memory, output);
        var first = await Create(cluster, "first", authority).OfferGreeter().StartAsync();
        var second = await Create(cluster, "second", authority).StartAsync();
        await ClusterFixture.WaitUntilOwnedAsync([first, second], 2);
        Assert.StartsWith("https://", first.Table.Members[0].Address, StringComparison.Ordinal);
        Assert.Contains("first", await second.Greeter.GreetAsync("Ada"), StringComparison.Ordinal);
        for (var key = 0; key < 100; key++)
        {
            await first.Tallies.PutAsync($"key {key}", new Tally { Count = key });
            Assert.Equal(key, (await second.Tallies.GetAsync($"key {key}"))!.Count);
        }
    }

    [Fact]
    [Trait("Case", "transport-6")]
    public async Task Nodes_ExamineEachOther_AtLivenessEndpointsThatSpeakOverTls()
    {
        using var authority = GlueCertificates.CreateForDevelopment();
        await using var cluster = new ClusterFixture(StoreKind.Memory, output);
        var first = await Create(cluster, "first", authority).StartAsync();
        var second = await Create(cluster, "second", authority).StartAsync();
        await ClusterFixture.WaitUntilOwnedAsync([first, second], 2);
        var member = second.Table.Members.Single(static one => one.Node.Name == "first");
        var examiner = second.Host.Services.GetRequiredService<FailureDetector>();
        var verdict = await examiner.ExamineAsync(member, CancellationToken.None);
        Assert.Equal(LivenessState.Alive, verdict.State);
        Assert.Contains("it answers at its liveness endpoint", verdict.Reason, StringComparison.Ordinal);
        // A probe without TLS gets no answer. The answer above came over TLS.
        cluster.Logs.Allow(1005);
        var address = LivenessAddress.Parse(member.LivenessAddress)!;
        var plain = new LivenessProbe(TimeProvider.System, second.Host.Services.GetRequiredService<GlueClient>());
        Assert.Equal(
            LivenessAnswer.Silent, await plain.AskAsync(address, member.Node, isEncrypted: false, CancellationToken.None));
    }

    /// <summary>Certificates have roles. Nodes accept each other's certificates because these have the role of
    /// nodes.</summary>
    [Fact]
    [Trait("Case", "transport-6")]
    public async Task Nodes_WithTheRoleOfNodes_ShareTheirState()
    {
        using var authority = GlueCertificates.CreateForDevelopment();
        await using var cluster = new ClusterFixture(StoreKind.Memory, output);
        var role = new GlueRoleRule { Role = GlueRoles.Node, Name = "*.nodes.example" };
        var first = await Create(cluster, "first", authority, role, "first.nodes.example").StartAsync();
        var second = await Create(cluster, "second", authority, role, "second.nodes.example").StartAsync();
        await ClusterFixture.WaitUntilOwnedAsync([first, second], 2);
        for (var key = 0; key < 100; key++)
        {
            await first.Tallies.PutAsync($"key {key}", new Tally { Count = key });
            Assert.Equal(key, (await second.Tallies.GetAsync($"key {key}"))!.Count);
        }
    }

    private static TestNode Create(
        ClusterFixture cluster,
        string name,
        GlueCertificates authority,
        GlueRoleRule? role = null,
        params string[] names)
    {
        var tls = new GlueTlsOptions
        {
            Certificate = authority.Create(["localhost", "127.0.0.1", .. names]),
            ClientCertificate = GlueClientCertificate.Required,
        };
        tls.Authorities.Add(authority.Authority);
        if (role is not null)
            tls.Roles.Add(role);
        return cluster.Create(name, options =>
        {
            options.ListenAddress = "https://127.0.0.1:0";
            options.InitialNodeCount = 1;
        }).UseTls(tls);
    }
}
