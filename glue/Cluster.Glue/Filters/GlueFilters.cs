namespace Cluster.Glue.Filters;

/// <summary>The filters of one level in their order. Copied when the client or server is made.</summary>
public sealed class GlueFilters
{
    private readonly List<FilterRegistration> _registrations = [];

    /// <summary>Adds a filter.</summary>
    /// <param name="filter">It serves all calls at once.</param>
    public GlueFilters Add(IGlueFilter filter)
    {
        ArgumentNullException.ThrowIfNull(filter);
        _registrations.Add(new FilterRegistration(filter.GetType(), filter));
        return this;
    }

    /// <summary>Adds a filter that the container creates, once: the registered service of this class, or else a new
    /// object, whose constructor parameters the container supplies. A client without a container calls the constructor
    /// without parameters.</summary>
    /// <typeparam name="TFilter">The class of the filter.</typeparam>
    public GlueFilters Add<TFilter>()
        where TFilter : class, IGlueFilter
    {
        _registrations.Add(new FilterRegistration(typeof(TFilter), null));
        return this;
    }

    internal FilterRegistration[] ToRegistrations() => [.. _registrations];
}
