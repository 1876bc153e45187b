namespace Cluster.Nodes.Configuration;

/// <summary>The values that <see cref="ClusterOptionsBinder"/> could not read. <see cref="ClusterOptionsValidator"/>
/// reports them together with all other problems. Bounded by the number of options; safe for concurrent use.</summary>
internal sealed class BindingProblems
{
    private readonly ConcurrentDictionary<string, string> _byPath = new(StringComparer.Ordinal);

    public IEnumerable<string> All =>
        _byPath.OrderBy(entry => entry.Key, StringComparer.Ordinal).Select(entry => entry.Value);

    public void Add(string path, string problem) => _byPath[path] = problem;
}
