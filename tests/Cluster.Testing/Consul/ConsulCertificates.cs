namespace Cluster.Testing.Consul;

/// <summary>The PEM files of a Consul server. Immutable.</summary>
/// <param name="Authority">The authority from which the certificates of clients must come.</param>
/// <param name="Certificate">The certificate of the server.</param>
/// <param name="Key">Its private key.</param>
public sealed record ConsulCertificates(string Authority, string Certificate, string Key);
