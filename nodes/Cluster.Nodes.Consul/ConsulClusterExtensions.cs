using Cluster.Nodes;
using Cluster.Nodes.Consul;
using Cluster.Nodes.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Makes a cluster keep its table in Consul.</summary>
public static class ConsulClusterExtensions
{
    /// <summary>
    /// Keeps the cluster's table in Consul. Options come from the configuration section <c>Cluster:Consul</c> and
    /// then from
    /// <paramref name="configure"/>. The cluster must have been bootstrapped, or this node be told to do so.
    /// </summary>
    /// <param name="builder">The cluster.</param>
    /// <param name="configure">Runs after the configuration section.</param>
    public static ClusterBuilder UseConsul(this ClusterBuilder builder, Action<ConsulOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var options = builder.Services.AddOptions<ConsulOptions>().BindConfiguration(ConsulOptions.SectionName);
        if (configure is not null)
            options.Configure(configure);
        builder.Services.AddSingleton<IValidateOptions<ClusterOptions>, ConsulOptionsRules>();
        return builder.UseStore(static provider => ConsulClusterStore.Create(
            provider.GetRequiredService<IOptions<ClusterOptions>>().Value.Name,
            provider.GetRequiredService<IOptions<ConsulOptions>>().Value,
            provider.GetRequiredService<TimeProvider>(),
            provider.GetRequiredService<ILoggerFactory>()));
    }
}
