using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Tls;
using Cluster.Testing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Tls;

/// <summary>Acceptance case 75: calls over TLS, with and without certificates of clients, and what is said where one is
/// not trusted, on both sides.</summary>
public sealed class TlsTests : IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly GlueCertificates _authority = GlueCertificates.CreateForDevelopment();
    private int _writes;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("glue-tls-");

    public void Dispose()
    {
        _authority.Dispose();
        _folder.Delete(recursive: true);
    }

    public static TheoryData<GlueTransport> Transports() => new(GlueTransport.Link, GlueTransport.Unary);

    [Theory]
    [MemberData(nameof(Transports))]
    [Trait("Case", "glue-75")]
    [Trait("Case", "transport-6")]
    public async Task Call_OverTls_IsAnswered(GlueTransport transport)
    {
        await using var host = await StartAsync();
        Assert.StartsWith("https://", host.Address, StringComparison.Ordinal);
        await using var client = Connect(transport);
        Assert.Equal(1, await CallAsync(client, host.Address));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    [Trait("Case", "glue-75")]
    [Trait("Case", "transport-6")]
    public async Task Call_WithACertificate_IsAnswered_WhereOneIsRequired(GlueTransport transport)
    {
        await using var host = await StartAsync(asks: GlueClientCertificate.Required);
        await using var client = Connect(transport, tls => tls.Certificate = _authority.Create("client"));
        Assert.Equal(1, await CallAsync(client, host.Address));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    [Trait("Case", "glue-75")]
    [Trait("Case", "transport-6")]
    public async Task Client_WithoutACertificate_IsRefused_WithTheReason(GlueTransport transport)
    {
        await using var host = await StartAsync(asks: GlueClientCertificate.Required);
        await using var client = Connect(transport);
        await CheckRefusedAsync(client, host.Address, "no certificate was shown");
    }

    [Theory]
    [MemberData(nameof(Transports))]
    [Trait("Case", "glue-75")]
    [Trait("Case", "transport-6")]
    [Trait("Case", "experience-X6")]
    public async Task Client_OfAnotherAuthority_IsRefused_WithTheReason(GlueTransport transport)
    {
        using var other = GlueCertificates.CreateForDevelopment("Others");
        await using var host = await StartAsync(asks: GlueClientCertificate.Optional);
        await using var client = Connect(transport, tls => tls.Certificate = other.Create("client"));
        await CheckRefusedAsync(client, host.Address, "the certificate of client is from the authority CN=Others");
    }

    [Theory]
    [InlineData(-60, -30, "has expired at")]
    [InlineData(30, 60, "is not valid before")]
    [Trait("Case", "glue-75")]
    [Trait("Case", "transport-6")]
    [Trait("Case", "experience-X6")]
    public async Task Server_OutOfItsTime_IsRefused_WithTheReason(int from, int to, string reason)
    {
        // A server of Glue would not start with it.
        var now = TimeProvider.System.GetUtcNow();
        var certificate =
            _authority.Create(now.AddMinutes(from), now.AddMinutes(to), "localhost", "127.0.0.1");
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(
            kestrel => kestrel.Listen(IPAddress.Loopback, 0, endpoint => endpoint.UseHttps(certificate)));
        await using var app = builder.Build();
        await app.StartAsync();
        await using var client = Connect(GlueTransport.Link);
        await CheckRefusedAsync(client, app.Urls.First(), reason);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    [Trait("Case", "glue-75")]
    [Trait("Case", "transport-6")]
    [Trait("Case", "experience-X6")]
    public async Task Server_OfAnotherAuthority_IsRefused_WithTheReason(GlueTransport transport)
    {
        using var other = GlueCertificates.CreateForDevelopment("Others");
        await using var host = await StartAsync(other.Create("localhost", "127.0.0.1"));
        await using var client = Connect(transport);
        await CheckRefusedAsync(client, host.Address, "is from the authority CN=Others, which is not trusted here");
    }

    [Theory]
    [MemberData(nameof(Transports))]
    [Trait("Case", "glue-75")]
    [Trait("Case", "transport-6")]
    public async Task Server_OfAnotherName_IsRefused_WithTheReason(GlueTransport transport)
    {
        await using var host = await StartAsync(_authority.Create("elsewhere"));
        await using var client = Connect(transport);
        await CheckRefusedAsync(client, host.Address, "the certificate is for elsewhere, and 127.0.0.1 was called");
        await using var knowing = Connect(transport, tls => tls.ServerName = "elsewhere");
        Assert.Equal(1, await CallAsync(knowing, host.Address));
    }

    [Fact]
    [Trait("Case", "transport-6")]
    public async Task Files_AreReadAgain_AndABadPairIsRefused()
    {
        using var logs = new LogRecorder().Allow(1101);
        var time = new ManualTimeProvider(TimeProvider.System.GetUtcNow());
        string certificate = Path.Combine(_folder.FullName, "tls.crt"), key = Path.Combine(_folder.FullName, "tls.key");
        Write(certificate, key, _authority.Create("localhost"));
        var store = new Glue.Tls.CertificateStore(
            new GlueTlsOptions { CertificateFile = certificate, KeyFile = key }, time, logs.Factory);
        var first = ThumbprintOf(store);

        var second = _authority.Create("localhost");
        Write(certificate, key, second);
        Assert.Equal(first, ThumbprintOf(store));
        time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(second.Thumbprint, ThumbprintOf(store));

        // A key that belongs to another certificate.
        Write(Path.Combine(_folder.FullName, "other.crt"), key, _authority.Create("localhost"));
        time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(second.Thumbprint, ThumbprintOf(store));
        await logs.WaitForAsync(1101, Bound);
        Assert.Contains(logs.Entries, entry => entry.Message.Contains("tls.key", StringComparison.Ordinal));

        // The pair is whole again.
        var third = _authority.Create("localhost");
        Write(certificate, key, third);
        time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(third.Thumbprint, ThumbprintOf(store));
    }

    /// <summary>The certificate changes under load: no call fails, and new connections see the new one.</summary>
    [Theory]
    [MemberData(nameof(Transports))]
    [Trait("Case", "transport-6")]
    [Trait("Case", "experience-X6")]
    public async Task Certificate_ChangedUnderLoad_FailsNoCall(GlueTransport transport)
    {
        var shown = _authority.Create("localhost", "127.0.0.1");
        await using var host = await GlueHost.StartAsync(options =>
        {
            options.ListenAddress = "https://127.0.0.1:0";
            options.Tls = new GlueTlsOptions { CertificateSelector = () => shown };
        });
        var answers = 0;
        for (var round = 0; round < 5; round++)
        {
            await using var client = Connect(transport);
            var counter = client.CreateProxy<ICounter>(host.Address);
            Task<int>[] calls = [.. Enumerable.Range(0, 50).Select(_ => counter.NextAsync())];
            shown = _authority.Create("localhost", "127.0.0.1");
            foreach (var one in await Task.WhenAll(calls).WaitAsync(Bound))
                answers += one;
        }

        Assert.Equal(250, answers);
    }

    [Theory]
    [InlineData("https://127.0.0.1:0", "there is no certificate to show")]
    [Trait("Case", "transport-6")]
    public async Task Listener_WithoutACertificate_DoesNotStart_AndSaysWhatToSet(string address, string says)
    {
        var failure = await Assert.ThrowsAsync<Microsoft.Extensions.Options.OptionsValidationException>(
            () => GlueHost.StartAsync(options => options.ListenAddress = address));
        Assert.Contains(says, failure.Message, StringComparison.Ordinal);
        Assert.Contains("Glue:Server:Tls:CertificateFile", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http://0.0.0.0:0")]
    [InlineData("http://*:0")]
    [InlineData("http://[::]:0")]
    [Trait("Case", "transport-6")]
    public async Task Listener_WithoutTls_BeyondLoopback_DoesNotStart_UnlessThatIsWrittenOut(string address)
    {
        var failure = await Assert.ThrowsAsync<Microsoft.Extensions.Options.OptionsValidationException>(
            () => GlueHost.StartAsync(options => options.ListenAddress = address));
        Assert.Contains("set Glue:Server:AllowInsecure to true", failure.Message, StringComparison.Ordinal);
        await using var host = await GlueHost.StartAsync(options =>
        {
            options.ListenAddress = address;
            options.AllowInsecure = true;
        });
        Assert.StartsWith("http://", host.Address, StringComparison.Ordinal);
    }

    /// <summary>A server that asks for certificates names their authorities: public authorities certify
    /// everybody.</summary>
    [Fact]
    [Trait("Case", "transport-6")]
    public async Task CertificatesOfClients_WithoutAnAuthority_StopTheStart()
    {
        var failure = await Assert.ThrowsAsync<Microsoft.Extensions.Options.OptionsValidationException>(
            () => GlueHost.StartAsync(options =>
            {
                options.ListenAddress = "https://127.0.0.1:0";
                options.Tls = new GlueTlsOptions
                {
                    Certificate = _authority.Create("localhost"),
                    ClientCertificate = GlueClientCertificate.Required,
                };
            }));
        Assert.Contains("Glue:Server:Tls:AuthorityFile", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "transport-6")]
    public async Task Files_ThatCannotBeUsed_StopTheStart_AndAreNamed()
    {
        var failure = await Assert.ThrowsAsync<GlueListenException>(() => GlueHost.StartAsync(options =>
        {
            options.ListenAddress = "https://127.0.0.1:0";
            options.Tls = new GlueTlsOptions { CertificateFile = Path.Combine(_folder.FullName, "none.pem") };
        }));
        Assert.Contains("none.pem", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Give PEM files", failure.Message, StringComparison.Ordinal);
    }

    private static string ThumbprintOf(Glue.Tls.CertificateStore store) =>
        store.Current.Own!.TargetCertificate.Thumbprint;

    private void Write(string certificate, string key, X509Certificate2 pair)
    {
        File.WriteAllText(certificate, pair.ExportCertificatePem());
        File.WriteAllText(key, pair.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
        // However coarse the file system's clock is.
        var stamp = TimeProvider.System.GetUtcNow().UtcDateTime.AddSeconds(++_writes);
        File.SetLastWriteTimeUtc(certificate, stamp);
        File.SetLastWriteTimeUtc(key, stamp);
    }

    private async Task<GlueHost> StartAsync(
        X509Certificate2? certificate = null,
        GlueClientCertificate asks = GlueClientCertificate.None) =>
        await GlueHost.StartAsync(options =>
        {
            options.ListenAddress = "https://127.0.0.1:0";
            options.Tls = new GlueTlsOptions
            {
                Certificate = certificate ?? _authority.Create("localhost", "127.0.0.1"),
                ClientCertificate = asks,
            };
            options.Tls.Authorities.Add(_authority.Authority);
        });

    private GlueClient Connect(GlueTransport transport, Action<GlueTlsOptions>? configure = null)
    {
        var tls = new GlueTlsOptions();
        tls.Authorities.Add(_authority.Authority);
        configure?.Invoke(tls);
        return new GlueClient(new GlueClientOptions { Transport = transport, Tls = tls, DefaultDeadline = Bound });
    }

    private static Task<int> CallAsync(GlueClient client, string address) =>
        client.CreateProxy<ICounter>(address).NextAsync().WaitAsync(Bound);

    private static async Task CheckRefusedAsync(GlueClient client, string address, string reason)
    {
        var refusal = await Assert.ThrowsAsync<GlueException>(() => CallAsync(client, address));
        Assert.Contains(reason, refusal.Message, StringComparison.Ordinal);
        Assert.Equal(
            (GlueErrorKind.Refused, GlueDelivery.NotDelivered, GlueErrorCode.PeerNotAuthenticated),
            (refusal.Kind, refusal.Delivery, refusal.Code));
    }
}
