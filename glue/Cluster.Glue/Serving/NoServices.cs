namespace Cluster.Glue.Serving;

/// <summary>The service provider of a client. It has no services, because a client serves only calls to objects that it
/// passed by reference. Stateless.</summary>
internal sealed class NoServices : IServiceProvider
{
    public object? GetService(Type serviceType) => null;
}
