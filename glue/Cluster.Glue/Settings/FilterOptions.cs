using Cluster.Glue.Filters;

namespace Cluster.Glue.Settings;

/// <summary>The filters in the options of a client or a server, by level. Used by one thread while the options are
/// read.</summary>
internal sealed class FilterOptions
{
    private readonly GlueFilters[] _bindings =
        [.. Enum.GetValues<GlueBinding>().Select(_ => new GlueFilters())];

    public GlueFilters Runtime { get; } = new();

    public GlueFilters Of(GlueBinding binding) => _bindings[(int)binding];
}
