using Cluster.Testing;

namespace Cluster.SystemTests.Deploy;

/// <summary>A unit of systemd and the file with its environment. Immutable.</summary>
internal sealed class SystemdUnit
{
    private readonly ILookup<string, string> _values;

    private SystemdUnit(ILookup<string, string> values) => _values = values;

    /// <summary>Reads a file of lines <c>name=value</c>, with comments and sections.</summary>
    /// <param name="path">The path in the repository.</param>
    public static SystemdUnit Read(string path) => new(
        File.ReadLines(Path.Combine(RepositoryFolder.Path, path))
            .Where(static line => line.Length > 0 && line[0] is not ('#' or '['))
            .Select(static line => line.Split('=', 2))
            .ToLookup(static line => line[0], static line => line[1]));

    public string this[string name] => _values[name].Single();

    public IReadOnlyDictionary<string, string> All =>
        _values.ToDictionary(static one => one.Key, static one => one.Single());
}
