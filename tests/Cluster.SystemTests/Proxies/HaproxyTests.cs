using Cluster.Contracts;
using Cluster.Glue;
using Cluster.Glue.Tls;
using Cluster.Testing.Stores;

namespace Cluster.SystemTests.Proxies;

/// <summary>Glue through haproxy.</summary>
[RequiresProxy("/usr/sbin/haproxy", "haproxy")]
public sealed class HaproxyTests : ReverseProxyConformanceTests
{
    private protected override IProxyProgram Program { get; } = new Haproxy();

    private protected override int StatusOfNobodyThere => 503;

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task MutualTls_PassesThrough_FromTheCallerToTheServer()
    {
        using var authority = GlueCertificates.CreateForDevelopment();
        await using var server = await ProxiedServer.StartAsync(options =>
        {
            options.ListenAddress = "https://127.0.0.1:0";
            options.Tls = new GlueTlsOptions
            {
                Certificate = authority.Create("localhost", "127.0.0.1"),
                ClientCertificate = GlueClientCertificate.Required,
            };
            options.Tls.Authorities.Add(authority.Authority);
        });
        await using var proxy = await StartAsync(server, Bound, ProxyMode.PassesThrough);
        foreach (var transport in Enum.GetValues<GlueTransport>())
        {
            await using var client = ClientOf(transport, options =>
            {
                options.Tls = new GlueTlsOptions { Certificate = authority.Create("client") };
                options.Tls.Authorities.Add(authority.Authority);
            });
            await CheckAnswersAsync(client.CreateProxy<IProxied>(proxy.Address));
            await using var stranger = ClientOf(transport, options =>
            {
                options.Tls = new GlueTlsOptions();
                options.Tls.Authorities.Add(authority.Authority);
            });
            var refused = await Assert.ThrowsAsync<GlueException>(
                () => stranger.CreateProxy<IProxied>(proxy.Address).NextAsync().WaitAsync(Bound));
            Assert.Equal(GlueErrorCode.PeerNotAuthenticated, refused.Code);
            Assert.Contains("no certificate was shown", refused.Message, StringComparison.Ordinal);
        }
    }
}
