using Cluster.Glue.Settings;

namespace Cluster.Glue.Filters;

/// <summary>The filters of a client or a server: those of the process and those of each binding, made once. Composes
/// them with the filters of an endpoint. Immutable.</summary>
internal sealed class FilterLevels
{
    private readonly IServiceProvider? _services;
    private readonly IGlueFilter[] _runtime;
    private readonly IGlueFilter[][] _bindings;

    public FilterLevels(FilterOptions options, IServiceProvider? services)
    {
        _services = services;
        _runtime = Create(options.Runtime);
        _bindings = [.. Enum.GetValues<GlueBinding>().Select(binding => Create(options.Of(binding)))];
    }

    /// <summary>The filters of outgoing calls: process, binding, endpoint; null: none.</summary>
    public FilterChains? ForSending(GlueFilters? endpoint) => Compose(endpoint, isReversed: false);

    /// <summary>The filters of incoming calls, in the opposite order; null: none.</summary>
    public FilterChains? ForReceiving(GlueFilters? endpoint) => Compose(endpoint, isReversed: true);

    private FilterChains? Compose(GlueFilters? endpoint, bool isReversed)
    {
        var last = endpoint is null ? [] : Create(endpoint);
        var all = Array.ConvertAll(_bindings, middle => (IGlueFilter[])[.. _runtime, .. middle, .. last]);
        if (all.All(filters => filters.Length == 0))
            return null;
        if (isReversed)
            Array.ForEach(all, Array.Reverse);
        return new FilterChains(all);
    }

    private IGlueFilter[] Create(GlueFilters filters) =>
        Array.ConvertAll(filters.ToRegistrations(), registration => registration.Create(_services));
}
