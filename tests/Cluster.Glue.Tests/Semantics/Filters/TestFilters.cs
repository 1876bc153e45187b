using Cluster.Glue.Filters;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics.Filters;

/// <summary>One filter on each level of either side, named as in "client endpoint", and the services that they stand
/// around. A test says what a filter does, and reads what all of them did. For one test.</summary>
internal sealed class TestFilters
{
    private readonly GlueBinding _binding;
    private readonly Dictionary<string, TestFilter> _filters;

    public TestFilters(GlueBinding binding)
    {
        _binding = binding;
        _filters = new[] { "client", "server" }
            .SelectMany(side => Levels.Select(level => $"{side} {level}"))
            .ToDictionary(name => name, name => new TestFilter(Trace, name));
    }

    public static string[] Levels { get; } = ["process", "binding", "endpoint"];

    /// <summary>Where filters and services write what they do.</summary>
    public FilterTrace Trace { get; } = new();

    public string[] Lines => Trace.Lines;

    public IEnumerable<TestFilter> All => _filters.Values;

    /// <summary>Of a proxy that has the filter "client endpoint".</summary>
    public GlueProxyOptions Endpoint
    {
        get
        {
            var options = new GlueProxyOptions();
            options.Filters.Add(_filters["client endpoint"]);
            return options;
        }
    }

    /// <summary>Lets a filter do something from now on; null: let calls pass.</summary>
    public void Do(string where, Func<GlueCallContext, Func<GlueCallContext, ValueTask>, ValueTask>? work) =>
        _filters[where].Work = work;

    public string[] LinesOf(string prefix) =>
        [.. Lines.Where(line => line.StartsWith(prefix, StringComparison.Ordinal))];

    /// <summary>The same without what the service was called with.</summary>
    public string[] StepsOf(string prefix) =>
        Array.ConvertAll(
            LinesOf(prefix), line => line.StartsWith("service", StringComparison.Ordinal) ? "service" : line);

    public void AddTo(GlueServerOptions options)
    {
        options.MaxInstances = 1;
        options.Filters.Add(_filters["server process"]);
        AddToBindings(options.FiltersOf, "server binding");
    }

    public void AddTo(GlueClientOptions options)
    {
        options.Filters.Add(_filters["client process"]);
        AddToBindings(options.FiltersOf, "client binding");
    }

    /// <summary>Adds what the filters stand around, and traces as they do.</summary>
    public void AddServices(GlueServerBuilder glue)
    {
        glue.Services.AddSingleton(Trace).AddScoped<ScopeMark>();
        glue.AddService<IFiltered, Filtered>(filters: own => own.Add<MadeFilter>().Add(_filters["server endpoint"]))
            .AddService<IFilteredSession, FilteredSession>(GlueInstanceMode.Stateful);
    }

    private void AddToBindings(Func<GlueBinding, GlueFilters> of, string name)
    {
        foreach (var binding in Enum.GetValues<GlueBinding>())
            of(binding).Add(binding == _binding ? _filters[name] : new TestFilter(Trace, "other binding"));
    }
}
