using Cluster.Glue.Resilience;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Adds resilience to a proxy.</summary>
internal static class Resilience
{
    public static void Add<TContract>(IServiceCollection services)
        where TContract : class =>
        services.AddGlueClient<TContract>("http://127.0.0.1:5101")
            .AddResilience(options => options.Hedging = new GlueHedgingOptions());
}
