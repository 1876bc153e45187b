using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Https;

namespace Cluster.Glue.Tls;

/// <summary>TLS of a listener: which certificate it shows, and whether it asks clients for one. Immutable.</summary>
internal sealed class ServerTls(CertificateStore certificates, GlueClientCertificate asked)
{
    public TlsHandshakeCallbackOptions ToCallback(TimeSpan handshakeTimeout) => new()
    {
        HandshakeTimeout = handshakeTimeout,
        OnConnection = context => new ValueTask<SslServerAuthenticationOptions>(OptionsOf(context.Connection)),
    };

    /// <summary>Makes the options for a connection that does not speak Glue: TLS itself refuses clients that are not
    /// trusted.</summary>
    public SslServerAuthenticationOptions ToStrictOptions() => OptionsOf((shown, problem) =>
        problem is null || (shown is null && asked != GlueClientCertificate.Required)
            ? true
            : throw new CertificateException(problem));

    // The endpoint refuses an untrusted certificate with a message. TLS would only close the connection.
    private SslServerAuthenticationOptions OptionsOf(ConnectionContext connection) => OptionsOf((shown, problem) =>
    {
        connection.Features.Set(new PeerCertificate(shown, problem));
        return true;
    });

    private SslServerAuthenticationOptions OptionsOf(Func<X509Certificate2?, string?, bool> judge)
    {
        var current = certificates.Current;
        return new SslServerAuthenticationOptions
        {
            ServerCertificateContext = current.Own,
            ClientCertificateRequired = asked != GlueClientCertificate.None,
            CertificateChainPolicy = current.ToChainPolicy(),
            RemoteCertificateValidationCallback = (_, certificate, chain, errors) =>
            {
                var shown = certificate as X509Certificate2;
                return judge(shown, CertificateJudge.ProblemOf(shown, chain, errors, expectedName: null));
            },
        };
    }
}
