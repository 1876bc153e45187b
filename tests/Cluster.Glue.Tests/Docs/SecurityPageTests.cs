using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Tests.Semantics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Glue.Tests.Docs;

/// <summary>The code of docs/security.md, run.</summary>
public sealed class SecurityPageTests : IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("glue-security-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    [Trait("Case", "transport-10")]
    public async Task CodeOfThePage_Runs()
    {
        // <snippet:development>
        using var authority = GlueCertificates.CreateForDevelopment();
        var serverTls = new GlueTlsOptions { Certificate = authority.Create("localhost", "127.0.0.1") };
        var clientTls = new GlueTlsOptions();
        clientTls.Authorities.Add(authority.Authority);
        // </snippet:development>
        Assert.NotNull(serverTls.Certificate);
        string authorityFile = Write("authority.pem", authority.Authority.ExportCertificatePem());
        (string certificateFile, string keyFile) = WritePair("server", serverTls.Certificate);
        (string clientCertificateFile, string clientKeyFile) = WritePair("client", authority.Create("client"));
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddSingleton<Observations>();
        builder.Services.AddGlueServer().AddService<ICounter, Counter>();

        // <snippet:server>
        builder.Services.AddGlueServer(options =>
        {
            options.ListenAddress = "https://127.0.0.1:0";
            options.Tls = new GlueTlsOptions
            {
                CertificateFile = certificateFile,                  // PEM, with those of the authorities above it
                KeyFile = keyFile,                                  // PEM
                AuthorityFile = authorityFile,                      // whom this side trusts, and nobody else
                ClientCertificate = GlueClientCertificate.Required, // or Optional, or None
            };
        });
        // </snippet:server>

        // <snippet:client>
        await using var client = new GlueClient(new GlueClientOptions
        {
            Tls = new GlueTlsOptions
            {
                AuthorityFile = authorityFile,                      // null: whom the machine trusts
                CertificateFile = clientCertificateFile,            // where servers ask for one
                KeyFile = clientKeyFile,
            },
        });
        // </snippet:client>
        using IHost host = builder.Build();
        await host.StartAsync();
        string address = host.Services.GetRequiredService<GlueListener>().Address!;
        Assert.Equal(1, await client.CreateProxy<ICounter>(address).NextAsync().WaitAsync(Bound));
        await host.StopAsync();
    }

    private (string Certificate, string Key) WritePair(string name, X509Certificate2 pair)
        => (Write($"{name}.crt", pair.ExportCertificatePem()),
            Write($"{name}.key", pair.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem()));

    private string Write(string name, string text)
    {
        string path = Path.Combine(_folder.FullName, name);
        File.WriteAllText(path, text);
        return path;
    }
}
