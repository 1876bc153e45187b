using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Cluster.Nodes.AspNetCore.Protection;
using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.StateStore;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.AspNetCore.Tests.Protection;

/// <summary>The keys of Data Protection, kept by the cluster.</summary>
public sealed class PersistKeysToClusterTests
{
    // Data Protection warns that keys without a certificate lie as they are.
    private const int NoEncryptor = 35;

    [Fact]
    public async Task Payload_OfOneNode_IsReadByAnother()
    {
        await using var cluster = await StartAsync(static (_, protection) => protection.SetApplicationName("shop"));
        var text = ProtectorOf(cluster, 0).Protect("secret");
        Assert.Equal("secret", ProtectorOf(cluster, 1).Unprotect(text));
        Assert.Equal("other", ProtectorOf(cluster, 0).Unprotect(ProtectorOf(cluster, 1).Protect("other")));
    }

    [Fact]
    public async Task Payload_OfAnotherApplication_IsRefused()
    {
        await using var cluster = await StartAsync(
            static (number, protection) => protection.SetApplicationName($"application-{number}"));
        var text = ProtectorOf(cluster, 0).Protect("secret");
        Assert.Throws<CryptographicException>(() => ProtectorOf(cluster, 1).Unprotect(text));
        Assert.Equal("secret", ProtectorOf(cluster, 0).Unprotect(text));
    }

    [Fact]
    public async Task Keys_WithACertificate_AreNotStoredInClear()
    {
        using var certificate = CreateCertificate();
        await using var cluster = await StartAsync((_, protection) => protection
            .SetApplicationName("shop")
            .ProtectKeysWithCertificate(certificate));
        var text = ProtectorOf(cluster, 0).Protect("secret");
        Assert.Equal("secret", ProtectorOf(cluster, 1).Unprotect(text));
        var stored = await ReadKeysAsync(cluster, 1);
        Assert.All(stored.Elements, static key => Assert.Contains("EncryptedData", key));
        Assert.All(stored.Elements, static key => Assert.DoesNotContain("<value>", key));
    }

    [Fact]
    public async Task Keys_WithoutACertificate_AreStoredInClear()
    {
        await using var cluster = await StartAsync(static (_, protection) => protection.SetApplicationName("shop"));
        ProtectorOf(cluster, 0).Protect("secret");
        Assert.Contains("<value>", (await ReadKeysAsync(cluster, 1)).Elements[0]);
    }

    [Fact]
    public async Task Elements_ThatNodesStoreAtTheSameTime_AreAllKept()
    {
        await using var cluster = await StartAsync(static (_, protection) => protection.SetApplicationName("shop"));
        var before = (await ReadKeysAsync(cluster, 0)).Elements.Count;
        var repositories = cluster.Nodes.Select(static node => new ClusterKeyRepository(StateOf(node))).ToArray();
        await Task.WhenAll(Enumerable.Range(0, 20).Select(number => Task.Run(() =>
            repositories[number % 2].StoreElement(new("key", number), $"key-{number}"))));
        var stored = repositories[0].GetAllElements();
        Assert.Equal(before + 20, stored.Count);
        Assert.Equal(
            Enumerable.Range(0, 20),
            stored.Where(static element => element.Name == "key" && !element.HasElements).Select(static element =>
                int.Parse(element.Value, CultureInfo.InvariantCulture)).Order());
    }

    [Fact]
    public void WithoutACluster_SaysWhatToCall()
    {
        var protection = Host.CreateEmptyApplicationBuilder(null).Services.AddDataProtection();
        var error = Assert.Throws<InvalidOperationException>(() => protection.PersistKeysToCluster());
        Assert.Equal(
            "PersistKeysToCluster needs the cluster of this host. Call builder.AddCluster() before it.", error.Message);
    }

    private static async Task<WebCluster> StartAsync(Action<int, IDataProtectionBuilder> configure)
    {
        var cluster = new WebCluster();
        cluster.Logs.Allow(NoEncryptor);
        var number = -1;
        await cluster.StartAsync(
            2,
            (builder, _) =>
                configure(++number, builder.Services.AddDataProtection().PersistKeysToCluster()));
        return cluster;
    }

    private static IDataProtector ProtectorOf(WebCluster cluster, int node) =>
        cluster.Nodes[node].Services.GetRequiredService<IDataProtectionProvider>().CreateProtector("test");

    private static IPartitionedState<string, StoredKeys> StateOf(WebApplication node) =>
        node.Services.GetRequiredKeyedService<IPartitionedState<string, StoredKeys>>("data-protection-keys");

    private static async Task<StoredKeys> ReadKeysAsync(WebCluster cluster, int node) =>
        (await StateOf(cluster.Nodes[node]).GetAsync(ClusterKeyRepository.RingKey))!;

    private static X509Certificate2 CreateCertificate()
    {
        using var key = RSA.Create(2_048);
        var request = new CertificateRequest("CN=keys", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var now = TimeProvider.System.GetUtcNow();
        return request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
    }
}
