namespace Cluster.Glue;

/// <summary>How calls travel to an <c>http://</c> address. Results are the same; cost differs.</summary>
public enum GlueTransport
{
    /// <summary>One long duplex stream per peer that carries batches of calls. The default.</summary>
    Link,

    /// <summary>
    /// One HTTP/2 request per call, for networks whose proxies do not pass long streams. Several times slower.
    /// </summary>
    Unary,
}
