using Cluster.Glue.Filters;
using Cluster.Glue.Resilience;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue;

/// <summary>Configures the proxy for one contract; returned by <c>AddGlueClient</c>, used while the host is
/// composed.</summary>
public sealed class GlueProxyBuilder
{
    private readonly string _contract;

    internal GlueProxyBuilder(IServiceCollection services, string contract)
    {
        Services = services;
        _contract = contract;
    }

    /// <summary>The container in which the proxy is registered.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Sets options of the proxy.</summary>
    /// <param name="configure">Runs when the proxy is made.</param>
    public GlueProxyBuilder Configure(Action<GlueProxyOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        Services.Configure(_contract, configure);
        return this;
    }

    /// <summary>Repeats or stops failing calls of the proxy; see <see cref="GlueResilienceOptions"/>.</summary>
    /// <param name="configure">Changes the defaults, which are retries and breakers.</param>
    public GlueProxyBuilder AddResilience(Action<GlueResilienceOptions>? configure = null) =>
        Configure(options =>
        {
            options.Resilience ??= new GlueResilienceOptions();
            configure?.Invoke(options.Resilience);
        });

    /// <summary>Adds a filter around the calls of the proxy; see <see cref="GlueFilters"/>.</summary>
    /// <typeparam name="TFilter">The class of the filter; the container creates it.</typeparam>
    public GlueProxyBuilder AddFilter<TFilter>()
        where TFilter : class, IGlueFilter =>
        Configure(static options => options.Filters.Add<TFilter>());
}
