namespace Cluster.SystemTests.Proxies;

/// <summary>What a proxy understands of what it passes on.</summary>
internal enum ProxyMode
{
    /// <summary>HTTP/2 without TLS on both sides.</summary>
    Plain,

    /// <summary>TLS ends at the proxy; HTTP/2 without TLS behind it.</summary>
    EndsTls,

    /// <summary>Bytes of TCP connections.</summary>
    PassesThrough,
}
