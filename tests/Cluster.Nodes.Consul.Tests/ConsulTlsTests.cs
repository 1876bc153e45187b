using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Tls;
using Cluster.Nodes.Consul.Client;
using Cluster.Nodes.Stores;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Cluster.Testing.Stores;
using Microsoft.Extensions.Configuration;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>A Consul whose https interface has a certificate of a private authority, and asks its clients for
/// certificates, as the manual of Consul advises.</summary>
public sealed class ConsulTlsTests : IDisposable
{
    private const string ClusterName = "shop";
    private const string ServerPurpose = "1.3.6.1.5.5.7.3.1";
    private const string ClientPurpose = "1.3.6.1.5.5.7.3.2";

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    // A refused handshake is tried again until the call ends.
    private static readonly ConsulWaitBudget Impatient = TestWaitBudget.Long with { Call = TimeSpan.FromSeconds(3) };

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("consul-tls-");
    private readonly GlueCertificates _authority = GlueCertificates.CreateForDevelopment();
    private readonly LogRecorder _logs = new();

    private static CancellationToken None => CancellationToken.None;

    private string Authority => Path.Combine(_folder.FullName, "authority.pem");

    private string Certificate => Path.Combine(_folder.FullName, "client.crt");

    private string Key => Path.Combine(_folder.FullName, "client.key");

    public void Dispose()
    {
        _logs.Dispose();
        _authority.Dispose();
        _folder.Delete(recursive: true);
    }

    [ConsulFact]
    public async Task Store_WithTheAuthorityAndACertificate_KeepsTheCluster()
    {
        await using var server = await StartAsync();
        await using var store = Open(server, new ConsulOptions
        {
            AuthorityFile = Authority, CertificateFile = Certificate, KeyFile = Key,
        });
        await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
        Assert.Equal(ClusterName, (await store.ReadMetaAsync(None))!.Name);
    }

    [ConsulFact]
    public async Task Store_WithoutTheAuthorityOrACertificate_IsRefusedWithTheRemedy()
    {
        await using var server = await StartAsync();
        using var stranger = GlueCertificates.CreateForDevelopment("Somebody else");
        var otherAuthority = Path.Combine(_folder.FullName, "other.pem");
        await File.WriteAllTextAsync(otherAuthority, stranger.Authority.ExportCertificatePem());
        ConsulOptions[] wrong =
        [
            new() { CertificateFile = Certificate, KeyFile = Key },
            new() { AuthorityFile = otherAuthority, CertificateFile = Certificate, KeyFile = Key },
            new() { AuthorityFile = Authority },
        ];
        foreach (var options in wrong)
        {
            await using var store = Open(server, options, Impatient);
            var failure = await Assert.ThrowsAsync<ClusterStoreException>(() => store.ReadMetaAsync(None).AsTask());
            Assert.Equal(ClusterStoreError.Unreachable, failure.Kind);
            Assert.Contains("AuthorityFile", failure.Message, StringComparison.Ordinal);
            Assert.Contains("CertificateFile", failure.Message, StringComparison.Ordinal);
        }
    }

    /// <summary>A client of Consul has a certificate of the same authority, and must not pose as the agent.</summary>
    [ConsulFact]
    public async Task Agent_WithACertificateForClientsAlone_IsNotTrusted()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=authority", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        var (from, to) = (DateTimeOffset.UnixEpoch, new DateTimeOffset(2100, 1, 1, 0, 0, 0, TimeSpan.Zero));
        using var authority = request.CreateSelfSigned(from, to);
        await File.WriteAllTextAsync(Authority, authority.ExportCertificatePem());
        await WriteSignedAsync(authority, ServerPurpose, "client");
        await WriteSignedAsync(authority, ServerPurpose, "server");
        await CheckAsync(isTrusted: true);
        await WriteSignedAsync(authority, ClientPurpose, "server");
        await CheckAsync(isTrusted: false);

        async Task CheckAsync(bool isTrusted)
        {
            await using var server = await StartWithFilesAsync();
            await using var store = Open(
                server,
                new ConsulOptions { AuthorityFile = Authority, CertificateFile = Certificate, KeyFile = Key },
                isTrusted ? null : Impatient);
            if (isTrusted)
                Assert.Null(await store.ReadMetaAsync(None));
            else
                await Assert.ThrowsAsync<ClusterStoreException>(() => store.ReadMetaAsync(None).AsTask());
        }
    }

    [ConsulFact]
    public async Task Certificate_Replaced_IsShownByTheNextConnection()
    {
        await using var server = await StartAsync();
        using var stranger = GlueCertificates.CreateForDevelopment("Somebody else");
        await WriteAsync(stranger, "client");
        await using var store = Open(server, new ConsulOptions
        {
            AuthorityFile = Authority, CertificateFile = Certificate, KeyFile = Key,
        }, Impatient);
        await Assert.ThrowsAsync<ClusterStoreException>(() => store.ReadMetaAsync(None).AsTask());

        await WriteAsync(_authority, "client");
        await Eventually.TrueAsync(() => AnswersAsync(store), Bound);
    }

    [Fact]
    public async Task Files_ThatCannotBeUsed_AreAllNamedAtTheStart()
    {
        await File.WriteAllTextAsync(Authority, "no certificate");
        await File.WriteAllTextAsync(Certificate, "no certificate");
        var problems = ConsulOptionsRules.FindProblems(new ConsulOptions
        {
            Address = "http://127.0.0.1:8500", AuthorityFile = Authority, CertificateFile = Certificate,
        }).ToArray();
        Assert.Collection(
            problems,
            problem => Assert.Contains("https://127.0.0.1:8501", problem, StringComparison.Ordinal),
            problem => Assert.StartsWith(
                $"Cluster:Consul:AuthorityFile '{Authority}' cannot be used", problem, StringComparison.Ordinal),
            problem => Assert.StartsWith(
                $"Cluster:Consul:CertificateFile '{Certificate}' cannot be used", problem, StringComparison.Ordinal));
        Assert.Equal(
            ["Cluster:Consul:KeyFile is set without Cluster:Consul:CertificateFile."],
            ConsulOptionsRules.FindProblems(new ConsulOptions { KeyFile = Key }));
    }

    [Fact]
    public void Settings_OfThePage_AreThoseOfTheOptions()
    {
        const string Begin = "```json\n";
        var page = File.ReadAllText(Path.Combine(RepositoryFolder.Path, "docs", "consul.md"));
        var start = page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        using var json = new MemoryStream(
            Encoding.UTF8.GetBytes(page[start..page.IndexOf("```", start, StringComparison.Ordinal)]));
        var settings = new ConfigurationBuilder().AddJsonStream(json).Build();
        var options = settings.GetSection(ConsulOptions.SectionName)
            .Get<ConsulOptions>(static binder => binder.ErrorOnUnknownConfiguration = true)!;
        Assert.Equal("https://consul.shop.example:8501", options.Address);
        Assert.All(
            [options.AuthorityFile, options.CertificateFile, options.KeyFile],
            file => Assert.StartsWith("/etc/shop/", file, StringComparison.Ordinal));
    }

    private static async ValueTask<bool> AnswersAsync(ConsulClusterStore store)
    {
        try
        {
            return await store.ReadMetaAsync(None) is null;
        }
        catch (ClusterStoreException)
        {
            return false;
        }
    }

    private async Task<ConsulServer> StartAsync()
    {
        await File.WriteAllTextAsync(Authority, _authority.Authority.ExportCertificatePem());
        await WriteAsync(_authority, "client");
        await WriteAsync(_authority, "server");
        return await StartWithFilesAsync();
    }

    private Task<ConsulServer> StartWithFilesAsync() => ConsulServer.StartAsync(
        ConsulAccess.CertificateRequired,
        new ConsulCertificates(
            Authority, Path.Combine(_folder.FullName, "server.crt"), Path.Combine(_folder.FullName, "server.key")));

    private async Task WriteAsync(GlueCertificates authority, string name)
    {
        using var certificate = authority.Create("127.0.0.1", "localhost");
        using var key = certificate.GetECDsaPrivateKey()!;
        await WriteAsync(certificate, key, name);
    }

    // The certificates of Glue are for servers and clients, so this makes one for a single purpose.
    private async Task WriteSignedAsync(X509Certificate2 authority, string purpose, string name)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(
            new X509EnhancedKeyUsageExtension([new Oid(purpose), new Oid(ClientPurpose)], false));
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using var certificate = request.Create(authority, authority.NotBefore, authority.NotAfter, [1, 2, 3]);
        await WriteAsync(certificate, key, name);
    }

    private async Task WriteAsync(X509Certificate2 certificate, ECDsa key, string name)
    {
        await File.WriteAllTextAsync(
            Path.Combine(_folder.FullName, $"{name}.crt"), certificate.ExportCertificatePem());
        await File.WriteAllTextAsync(
            Path.Combine(_folder.FullName, $"{name}.key"), key.ExportPkcs8PrivateKeyPem());
    }

    private ConsulClusterStore Open(ConsulServer server, ConsulOptions options, ConsulWaitBudget? budget = null)
    {
        options.Address = server.SecureAddress;
        return ConsulClusterStore.Create(
            ClusterName, options, budget ?? TestWaitBudget.Long, TimeProvider.System, _logs.Factory);
    }
}
