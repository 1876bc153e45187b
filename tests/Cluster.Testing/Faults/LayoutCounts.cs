using Cluster.Nodes.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Testing.Faults;

/// <summary>Tells how many layouts of the values of a state a process knows. Stateless.</summary>
public static class LayoutCounts
{
    /// <summary>Counts the layouts.</summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="state">The name of the state.</param>
    public static int Read(IServiceProvider services, string state) => services.GetRequiredService<StateRouting>()
        .Catalog.Definitions.Single(definition => definition.Name == state).Layouts.All.Length;
}
