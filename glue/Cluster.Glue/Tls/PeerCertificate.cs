using System.Security.Cryptography.X509Certificates;

namespace Cluster.Glue.Tls;

/// <summary>What a client has shown on a connection: a feature of it. The connection is opened all the same, so that a
/// request can be refused with words. Immutable.</summary>
/// <param name="Certificate">The certificate; null: none.</param>
/// <param name="Problem">Why it is not trusted; null: it is.</param>
internal sealed record PeerCertificate(X509Certificate2? Certificate, string? Problem);
