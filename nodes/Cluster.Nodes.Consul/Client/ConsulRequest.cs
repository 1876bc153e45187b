namespace Cluster.Nodes.Consul.Client;

/// <summary>A request to Consul, in a form that can be sent more than once. Immutable.</summary>
/// <param name="Method">The HTTP method.</param>
/// <param name="Path">Path and query, beginning with <c>/v1/</c>.</param>
/// <param name="Body">The JSON or the value to send.</param>
internal sealed record ConsulRequest(HttpMethod Method, string Path, byte[]? Body = null)
{
    public static ConsulRequest Get(string path) => new(HttpMethod.Get, path);

    public static ConsulRequest Put(string path, byte[]? body = null) => new(HttpMethod.Put, path, body);
}
