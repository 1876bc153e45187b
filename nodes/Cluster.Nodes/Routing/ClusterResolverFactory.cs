using Cluster.StateStore.Hosting.Tables;
using Grpc.Net.Client.Balancer;

namespace Cluster.Nodes.Routing;

/// <summary>Lets plain gRPC clients of this process name a service of the cluster: <c>cluster:///service</c>.
/// Stateless.</summary>
internal sealed class ClusterResolverFactory(ITableView view) : ResolverFactory
{
    /// <inheritdoc />
    public override string Name => "cluster";

    /// <inheritdoc />
    public override Resolver Create(ResolverOptions options)
    {
        var service = Uri.UnescapeDataString(options.Address.AbsolutePath).Trim('/');
        return service.Length > 0
            ? new ClusterResolver(view, service, options.LoggerFactory)
            : throw new ArgumentException(
                $"'{options.Address}' names no service; use cluster:///name, with the name of AddGrpcService or the "
                + "full name of a contract.",
                nameof(options));
    }
}
