using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Filters;

/// <summary>A filter that was added to <see cref="GlueFilters"/>. Immutable.</summary>
/// <param name="Type">Its class.</param>
/// <param name="Instance">The filter itself; null: the container makes it.</param>
internal sealed record FilterRegistration(Type Type, IGlueFilter? Instance)
{
    public IGlueFilter Create(IServiceProvider? services) =>
        Instance
            ?? (IGlueFilter)(services is null
                ? Activator.CreateInstance(Type)!
                : ActivatorUtilities.GetServiceOrCreateInstance(services, Type));
}
