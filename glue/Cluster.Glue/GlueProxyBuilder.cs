using Cluster.Glue.Filters;
using Cluster.Glue.Resilience;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue;

/// <summary>Says more of the proxy for one contract; returned by <c>AddGlueClient</c>, used while the host is
/// composed.</summary>
public sealed class GlueProxyBuilder
{
    private readonly string _contract;

    internal GlueProxyBuilder(IServiceCollection services, string contract)
    {
        Services = services;
        _contract = contract;
    }

    /// <summary>The container that the proxy is composed in.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Sets what the proxy has of its own.</summary>
    /// <param name="configure">Runs when the proxy is made.</param>
    public GlueProxyBuilder Configure(Action<GlueProxyOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        Services.Configure(_contract, configure);
        return this;
    }

    /// <summary>Does something about failing calls of the proxy; see <see cref="GlueResilienceOptions"/>.</summary>
    /// <param name="configure">Changes the defaults, which are retries and breakers.</param>
    public GlueProxyBuilder AddResilience(Action<GlueResilienceOptions>? configure = null) =>
        Configure(options =>
        {
            options.Resilience ??= new GlueResilienceOptions();
            configure?.Invoke(options.Resilience);
        });

    /// <summary>Lets a filter stand around the calls of the proxy; see <see cref="GlueFilters"/>.</summary>
    /// <typeparam name="TFilter">Its class; the container makes it.</typeparam>
    public GlueProxyBuilder AddFilter<TFilter>()
        where TFilter : class, IGlueFilter =>
        Configure(static options => options.Filters.Add<TFilter>());
}
