using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Authorization;
using Cluster.Glue.Tls;
using Microsoft.AspNetCore.Authorization;

namespace Cluster.Glue.Tests.Authorization;

/// <summary>Certificates of clients stand for users with roles, and peers need that of a node.</summary>
[Trait("Case", "transport-6")]
public sealed class CertificateRoleTests : IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly GlueCertificates _authority = GlueCertificates.CreateForDevelopment();

    public interface IDuties
    {
        Task<bool> DoAsync();
    }

    public interface IWork
    {
        [Authorize]
        Task<string?> NameAsync();

        [Authorize(Policy = GluePolicies.Operator)]
        Task<string?> OperateAsync();
    }

    public sealed class Duties : IDuties, IWork
    {
        public Task<bool> DoAsync() => Task.FromResult(GlueCall.Current!.IsFromPeer);

        public Task<string?> NameAsync() => Task.FromResult(GlueCall.Current!.User.Identity?.Name);

        public Task<string?> OperateAsync() => NameAsync();
    }

    public static TheoryData<GlueTransport> Transports() => new(GlueTransport.Link, GlueTransport.Unary);

    public void Dispose() => _authority.Dispose();

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Certificate_IsAUser_WithTheRolesOfItsNames(GlueTransport transport)
    {
        await using var host = await StartAsync();
        await using var worker = Connect(transport, "worker.example");
        var work = worker.CreateProxy<IWork>(host.Address);
        Assert.Equal("worker.example", await work.NameAsync().WaitAsync(Bound));
        var failure = await Assert.ThrowsAsync<GlueException>(work.OperateAsync).WaitAsync(Bound);
        Assert.Equal(GlueErrorCode.NotAuthorized, failure.Code);
        Assert.Contains("'Glue.Operator'", failure.Message, StringComparison.Ordinal);

        await using var operating = Connect(transport, "ada.operators.example");
        Assert.Equal(
            "ada.operators.example", await operating.CreateProxy<IWork>(host.Address).OperateAsync().WaitAsync(Bound));
        await using var stranger = Connect(transport, null);
        failure = await Assert.ThrowsAsync<GlueException>(stranger.CreateProxy<IWork>(host.Address).NameAsync)
            .WaitAsync(Bound);
        Assert.Equal(GlueErrorCode.NotAuthenticated, failure.Code);
    }

    /// <summary>Where certificates have roles, neither the secret alone nor a token makes a peer.</summary>
    [Fact]
    public async Task Peers_NeedTheRoleOfANode_AndTheSecret()
    {
        await using var host = await StartAsync();
        var identity = NewIdentity();
        await using var node = Connect(GlueTransport.Link, "a.nodes.example", identity);
        Assert.True(await node.CreateProxy<IDuties>(host.Address).DoAsync().WaitAsync(Bound));

        await using var client = Connect(GlueTransport.Link, "worker.example", identity);
        await CheckRefusedAsync(client, "has not the role of a node", "Glue:Server:Tls:Roles");
        await using var bare = Connect(GlueTransport.Link, null, identity);
        await CheckRefusedAsync(bare, "has not the role of a node");
        await using var forger = Connect(
            GlueTransport.Link, "worker.example", identity, TokenHandler.Of("eve", GlueRoles.Node));
        await CheckRefusedAsync(forger, "has not the role of a node");
        await using var withoutSecret = Connect(GlueTransport.Link, "a.nodes.example");
        await CheckRefusedAsync(withoutSecret, "has not proven a secret");

        async Task CheckRefusedAsync(GlueClient client, params string[] says)
        {
            var failure = await Assert.ThrowsAsync<GlueException>(
                client.CreateProxy<IDuties>(host.Address).DoAsync).WaitAsync(Bound);
            Assert.Equal(GlueErrorCode.PeersOnly, failure.Code);
            Assert.All(says, text => Assert.Contains(text, failure.Message, StringComparison.Ordinal));
        }
    }

    [Theory]
    [InlineData("worker.example", null, null, true)]
    [InlineData("WORKER.example", null, null, true)]
    [InlineData("*.example", null, null, true)]
    [InlineData("*.worker.example", null, null, false)]
    [InlineData("*example", null, null, false)]
    [InlineData("example", null, null, false)]
    [InlineData("subject", null, null, false)]
    [InlineData(null, "spiffe://example/worker", null, true)]
    [InlineData(null, "spiffe://example/*", null, true)]
    [InlineData(null, "spiffe://example", null, false)]
    [InlineData(null, "spiffe://other/*", null, false)]
    [InlineData(null, null, "CN=Glue development", true)]
    [InlineData(null, null, "Glue development", true)]
    [InlineData(null, null, "development", false)]
    [InlineData("worker.example", "spiffe://example/worker", "Glue development", true)]
    [InlineData("worker.example", "spiffe://other/worker", "Glue development", false)]
    public void Rule_FitsWhenAllOfItFits(string? name, string? uri, string? authority, bool fits)
    {
        var options = new GlueTlsOptions();
        options.Roles.Add(new GlueRoleRule { Role = "found", Name = name, Uri = uri, Authority = authority });
        using var certificate = CreateWithUri("subject", "worker.example", "spiffe://example/worker");
        var user = CertificateRoles.Of(options).IdentityOf(certificate);
        Assert.Equal(fits, user.HasClaim(System.Security.Claims.ClaimTypes.Role, "found"));
    }

    [Fact]
    public void CommonName_CountsWhereNoDnsNameIsBorne()
    {
        var options = new GlueTlsOptions();
        options.Roles.Add(new GlueRoleRule { Role = "found", Name = "subject" });
        using var certificate = CreateWithUri("subject", null, "spiffe://example/worker");
        var user = CertificateRoles.Of(options).IdentityOf(certificate);
        Assert.True(user.HasClaim(System.Security.Claims.ClaimTypes.Role, "found"));
        Assert.Equal("subject", user.Name);
    }

    /// <summary>A selector that fails leaves its caller without any role, and unknown.</summary>
    [Fact]
    public async Task SelectorThatFails_LeavesTheCallerUnknown()
    {
        await using var host = await StartAsync(
            tls => tls.RoleSelector = _ => throw new InvalidOperationException("no table"));
        host.Log.Allow(1015, 1016, 1017, 1018);
        await using var client = Connect(GlueTransport.Link, "ada.operators.example");
        var failure = await Assert.ThrowsAsync<GlueException>(
            client.CreateProxy<IWork>(host.Address).OperateAsync).WaitAsync(Bound);
        Assert.Equal(GlueErrorCode.NotAuthenticated, failure.Code);
        Assert.DoesNotContain("no table", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "worker", GlueClientCertificate.Required, "Glue:Server:Tls:Roles:0 needs a Role")]
    [InlineData("role", null, GlueClientCertificate.Required, "Glue:Server:Tls:Roles:0 needs a Role")]
    [InlineData("role", "worker", GlueClientCertificate.None, "Set it to Required or Optional")]
    public async Task Rules_ThatGiveNothingOrTooMuch_StopTheStart(
        string role, string? name, GlueClientCertificate asks, string says)
    {
        var failure = await Assert.ThrowsAsync<Microsoft.Extensions.Options.OptionsValidationException>(
            () => StartAsync(tls =>
            {
                tls.ClientCertificate = asks;
                tls.Roles.Clear();
                tls.Roles.Add(new GlueRoleRule { Role = role, Name = name });
            }));
        Assert.Contains(says, failure.Message, StringComparison.Ordinal);
    }

    private static GluePeerIdentity NewIdentity() =>
        new() { Secrets = { new GlueSecret("a secret of the peers of this test") } };

    private Task<GuardedHost> StartAsync(Action<GlueTlsOptions>? configure = null) => GuardedHost.StartAsync(
        options =>
        {
            options.ListenAddress = "https://127.0.0.1:0";
            options.PeerIdentity = NewIdentity();
            options.Tls = new GlueTlsOptions
            {
                Certificate = _authority.Create("localhost", "127.0.0.1"),
                ClientCertificate = GlueClientCertificate.Optional,
                Roles =
                {
                    new GlueRoleRule { Role = GlueRoles.Node, Name = "*.nodes.example" },
                    new GlueRoleRule { Role = GlueRoles.Operator, Name = "*.operators.example" },
                },
            };
            options.Tls.Authorities.Add(_authority.Authority);
            configure?.Invoke(options.Tls);
        },
        glue => glue.AddService<IDuties, Duties>(audience: GlueAudience.Peers).AddService<IWork, Duties>());

    private GlueClient Connect(
        GlueTransport transport, string? name, GluePeerIdentity? identity = null, string? token = null)
    {
        var tls = new GlueTlsOptions { Certificate = name is null ? null : _authority.Create(name) };
        tls.Authorities.Add(_authority.Authority);
        return GuardedHost.CreateClient(GuardedWay.Link, token, options =>
        {
            options.Transport = transport;
            options.Tls = tls;
            options.PeerIdentity = identity;
        });
    }

    private X509Certificate2 CreateWithUri(string subject, string? dns, string uri)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={subject}", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        if (dns is not null)
            names.AddDnsName(dns);
        names.AddUri(new Uri(uri));
        request.CertificateExtensions.Add(names.Build());
        using var authority = _authority.Authority;
        var issuer = X509SignatureGenerator.CreateForECDsa(key);
        var now = TimeProvider.System.GetUtcNow();
        return request.Create(authority.SubjectName, issuer, now.AddHours(-1), now.AddDays(1), [1]);
    }
}
