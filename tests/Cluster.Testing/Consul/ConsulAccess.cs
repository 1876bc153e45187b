namespace Cluster.Testing.Consul;

/// <summary>Whether a test's Consul server asks for a token.</summary>
public enum ConsulAccess
{
    /// <summary>Everybody may do everything.</summary>
    Open,

    /// <summary>Nobody may do anything without a token; <see cref="ConsulServer.MasterToken"/> may do
    /// everything.</summary>
    TokenRequired,
}
