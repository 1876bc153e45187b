namespace Cluster.Glue.Filters;

/// <summary>How a call travels from its caller to its service.</summary>
public enum GlueBinding
{
    /// <summary>Over a link, which carries many calls: TCP or a Unix domain socket.</summary>
    Link,

    /// <summary>As an HTTP/2 request of its own.</summary>
    Unary,

    /// <summary>Within the process.</summary>
    InProcess,
}
