using System.Security.Cryptography.X509Certificates;

namespace Cluster.Glue.Tls;

/// <summary>The certificate that a client has shown, as a feature of its connection. The connection is opened even if
/// the certificate is not trusted, so that the refusal of a request can say why. Immutable.</summary>
/// <param name="Certificate">The certificate; null: none.</param>
/// <param name="Problem">Why it is not trusted; null: it is.</param>
internal sealed record PeerCertificate(X509Certificate2? Certificate, string? Problem);
