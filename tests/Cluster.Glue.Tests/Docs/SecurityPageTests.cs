using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Authorization;
using Cluster.Glue.Tests.Authorization;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Tls;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authorization;
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
        var authorityFile = Write("authority.pem", authority.Authority.ExportCertificatePem());
        (var certificateFile, var keyFile) = WritePair("server", serverTls.Certificate);
        (var clientCertificateFile, var clientKeyFile) = WritePair("client", authority.Create("client"));
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
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
        using var host = builder.Build();
        await host.StartAsync();
        var address = host.Services.GetRequiredService<GlueListener>().Address!;
        Assert.Equal(1, await client.CreateProxy<ICounter>(address).NextAsync().WaitAsync(Bound));
        await host.StopAsync();
    }

    [Fact]
    [Trait("Case", "transport-7")]
    [Trait("Case", "transport-10")]
    public async Task CodeAboutUsers_Runs()
    {
        using var authority = GlueCertificates.CreateForDevelopment();
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());

        // <snippet:authorization>
        builder.Services.AddAuthentication("token")                      // JwtBearer, or any other scheme
            .AddScheme<AuthenticationSchemeOptions, TokenHandler>("token", null);
        builder.Services.AddAuthorization(options =>
            options.AddPolicy("Accounting", policy => policy.RequireRole("accountant")));
        builder.Services
            .AddGlueServer(options => options.ListenAddress = "https://127.0.0.1:0")
            .AddService<ILedger, Ledger>()
            .RequireAuthorization<ILedger>();                            // beside what its attributes ask for
        // </snippet:authorization>

        // <snippet:roles>
        builder.Services.AddGlueServer(options => options.Tls = new GlueTlsOptions
        {
            Certificate = authority.Create("localhost", "127.0.0.1"),
            Authorities = { authority.Authority },
            ClientCertificate = GlueClientCertificate.Optional,
            Roles =
            {
                new GlueRoleRule { Role = GlueRoles.Node, Name = "*.nodes.example" },
                new GlueRoleRule { Role = GlueRoles.Operator, Uri = "spiffe://example/operators/*" },
            },
        });
        // </snippet:roles>
        using var host = builder.Build();
        await host.StartAsync();
        var address = host.Services.GetRequiredService<GlueListener>().Address!;
        string login = TokenHandler.Of("ada", "accountant"), othersToken = TokenHandler.Of("eve", "accountant");
        ValueTask<string?> LoginAsync(Uri server) => new(server.Port > 0 ? login : null);

        // <snippet:tokens>
        await using var client = new GlueClient(new GlueClientOptions
        {
            Tls = new GlueTlsOptions { Authorities = { authority.Authority } },
            AccessTokenProvider = (server, cancellationToken) => LoginAsync(server),
        });
        var ledger = client.CreateProxy<ILedger>(address);
        var name = await ledger.BookAsync(12);                        // as the user of the client

        using (GlueCall.WithBearerToken(othersToken))
            name += await ledger.BookAsync(7);                           // on behalf of another user
        // </snippet:tokens>
        Assert.Equal("adaeve", name);
        using (GlueCall.WithBearerToken(TokenHandler.Of("bob")))
        {
            var failure = await Assert.ThrowsAsync<GlueException>(() => ledger.BookAsync(1)).WaitAsync(Bound);
            Assert.Equal(GlueErrorCode.NotAuthorized, failure.Code);
        }

        await host.StopAsync();
    }

    // <snippet:contract>
    [AuthorizeContract]                                                  // [Authorize], for interfaces
    public interface ILedger
    {
        [Authorize(Policy = "Accounting")]
        Task<string> BookAsync(decimal amount);

        [AllowAnonymous]
        Task<int> CountAsync();
    }

    public sealed class Ledger : ILedger
    {
        public Task<string> BookAsync(decimal amount) => Task.FromResult(GlueCall.Current!.User.Identity!.Name!);

        public Task<int> CountAsync() => Task.FromResult(0);
    }
    // </snippet:contract>

    private (string Certificate, string Key) WritePair(string name, X509Certificate2 pair) =>
        (Write($"{name}.crt", pair.ExportCertificatePem()),
            Write($"{name}.key", pair.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem()));

    private string Write(string name, string text)
    {
        var path = Path.Combine(_folder.FullName, name);
        File.WriteAllText(path, text);
        return path;
    }
}
