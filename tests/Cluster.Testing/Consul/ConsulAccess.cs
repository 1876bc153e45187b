namespace Cluster.Testing.Consul;

/// <summary>Whether the Consul server of a test requires a token.</summary>
public enum ConsulAccess
{
    /// <summary>Every client may do everything without a token.</summary>
    Open,

    /// <summary>A client may do nothing without a token; <see cref="ConsulServer.MasterToken"/> allows
    /// everything.</summary>
    TokenRequired,

    /// <summary>Every client may do everything without a token. Beside http the server listens for https
    /// (<see cref="ConsulServer.SecureAddress"/>), where a client needs a certificate of the same
    /// authority.</summary>
    CertificateRequired,
}
