namespace Cluster.Glue.Serving;

/// <summary>The services of a client: none, because it serves calls to objects only that it passed by reference.
/// Stateless.</summary>
internal sealed class NoServices : IServiceProvider
{
    public object? GetService(Type serviceType) => null;
}
