using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Tls;
using Cluster.Nodes;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Nodes;

/// <summary>Nodes with TLS certificates and Consul: only the liveness endpoint can prove that such a node is
/// dead.</summary>
public sealed class EncryptedConsulTests(ITestOutputHelper output)
{
    [RequiresConsulFact]
    [Trait("Case", "transport-6")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task KilledNode_IsDeclaredDead_WhereLivenessEndpointsSpeakOverTls()
    {
        using var authority = GlueCertificates.CreateForDevelopment();
        var folder = Directory.CreateTempSubdirectory("cluster-tls-");
        try
        {
            await using var nodes = await NodeProcesses.OnConsulAsync(output);
            nodes.CommonSettings = await WriteAsync(authority, folder.FullName);
            nodes.Tls = new GlueTlsOptions { Certificate = authority.Create("test") };
            nodes.Tls.Authorities.Add(authority.Authority);
            await nodes.StartClusterAsync("n1", "n2");
            await using var events = new EventLog(nodes.Cluster);
            var victim = await nodes.FindCoordinatorAsync();
            nodes[victim].KillAlone();
            await nodes.WaitUntilSharedAsync(1, NodeProcesses.RecoveryBound);
            await Eventually.TrueAsync(
                () => events.Find(ClusterEventKind.NodeDied)?.Node?.Name == victim, NodeProcesses.StartBound);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<string[]> WriteAsync(GlueCertificates authority, string folder)
    {
        using var certificate = authority.Create("localhost", "127.0.0.1");
        using var key = certificate.GetECDsaPrivateKey()!;
        var (pair, trusted) = (Path.Combine(folder, "node.pem"), Path.Combine(folder, "authority.pem"));
        await File.WriteAllTextAsync(
            pair, $"{certificate.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}\n");
        await File.WriteAllTextAsync(trusted, authority.Authority.ExportCertificatePem());
        return
        [
            "--Cluster:ListenAddress=https://127.0.0.1:0",
            $"--Glue:Server:Tls:CertificateFile={pair}", $"--Glue:Server:Tls:AuthorityFile={trusted}",
            $"--Glue:Server:Tls:ClientCertificate={GlueClientCertificate.Required}",
            $"--Glue:Client:Tls:CertificateFile={pair}", $"--Glue:Client:Tls:AuthorityFile={trusted}",
        ];
    }
}
