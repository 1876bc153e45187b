using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Https;

namespace Cluster.Glue.Tls;

/// <summary>TLS of a listener: which certificate it shows, and what it asks of clients. Immutable.</summary>
internal sealed class ServerTls(CertificateStore certificates, GlueClientCertificate asked)
{
    public TlsHandshakeCallbackOptions ToCallback(TimeSpan handshakeTimeout) => new()
    {
        HandshakeTimeout = handshakeTimeout,
        OnConnection = context => new ValueTask<SslServerAuthenticationOptions>(OptionsOf(context.Connection)),
    };

    private SslServerAuthenticationOptions OptionsOf(ConnectionContext connection)
    {
        TlsCertificate current = certificates.Current;
        return new SslServerAuthenticationOptions
        {
            ServerCertificateContext = current.Own,
            ClientCertificateRequired = asked != GlueClientCertificate.None,
            CertificateChainPolicy = current.ToChainPolicy(),
            RemoteCertificateValidationCallback = (_, certificate, chain, errors)
                => Note(connection, certificate as X509Certificate2, chain, errors),
        };
    }

    // The endpoint refuses what is not trusted, with words: TLS would only close the connection.
    private static bool Note(
        ConnectionContext connection, X509Certificate2? shown, X509Chain? chain, SslPolicyErrors errors)
    {
        string? problem = CertificateJudge.ProblemOf(shown, chain, errors, expectedName: null);
        connection.Features.Set(new PeerCertificate(shown, problem));
        return true;
    }
}
