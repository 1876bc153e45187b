using Cluster.Glue.Filters;

namespace Cluster.Glue.Settings;

/// <summary>The filters that the options of a client or a server name, by level. For one thread, while it is
/// composed.</summary>
internal sealed class FilterOptions
{
    private readonly GlueFilters[] _bindings =
        [.. Enum.GetValues<GlueBinding>().Select(_ => new GlueFilters())];

    public GlueFilters Runtime { get; } = new();

    public GlueFilters Of(GlueBinding binding) => _bindings[(int)binding];
}
