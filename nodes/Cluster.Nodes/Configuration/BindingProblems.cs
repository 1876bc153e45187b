namespace Cluster.Nodes.Configuration;

/// <summary>What <see cref="ClusterOptionsBinder"/> could not read, kept for <see cref="ClusterOptionsValidator"/>,
/// which reports it together with everything else. Bounded by the number of options; safe for concurrent use.</summary>
internal sealed class BindingProblems
{
    private readonly ConcurrentDictionary<string, string> _byPath = new(StringComparer.Ordinal);

    public IEnumerable<string> All =>
        _byPath.OrderBy(entry => entry.Key, StringComparer.Ordinal).Select(entry => entry.Value);

    public void Add(string path, string problem) => _byPath[path] = problem;
}
