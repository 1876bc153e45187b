namespace Cluster.SystemTests.Proxies;

/// <summary>The protocol that a proxy understands.</summary>
internal enum ProxyMode
{
    /// <summary>HTTP/2 without TLS on both sides.</summary>
    Plain,

    /// <summary>TLS ends at the proxy; HTTP/2 without TLS between proxy and server.</summary>
    EndsTls,

    /// <summary>None: the proxy forwards the bytes of TCP connections.</summary>
    PassesThrough,
}
