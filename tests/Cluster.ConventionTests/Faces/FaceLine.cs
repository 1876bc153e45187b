using Cluster.ConventionTests.Knots;

namespace Cluster.ConventionTests.Faces;

/// <summary>One line of the list of faces: the types of one folder that the code of one user may name. A user is a
/// folder with the folders inside it, or one type. Immutable.</summary>
/// <param name="Project">The project of the user and of the types.</param>
/// <param name="User">A folder, or a type after its folder: <c>Hosting/StampedTable</c>.</param>
/// <param name="Types">The types, each after its folder. Types of the project's root have no folder.</param>
internal sealed record FaceLine(string Project, string User, IReadOnlyList<string> Types)
{
    private const string Root = ".";

    /// <summary>Reads a line: project, user, folder and types, with bars between them.</summary>
    public static FaceLine Read(string line)
    {
        var parts = line.Split('|', StringSplitOptions.TrimEntries);
        var folder = parts[2] == Root ? "" : parts[2] + "/";
        return new FaceLine(parts[0], parts[1], [.. parts[3].Split(' ').Select(type => folder + type)]);
    }

    /// <summary>Finds the types that a user names without a line for them, and those that it no longer names.</summary>
    /// <param name="graph">The references of a project.</param>
    /// <param name="lines">The lines of that project.</param>
    public static IEnumerable<string> ProblemsOf(ReferenceGraph graph, IEnumerable<FaceLine> lines)
    {
        foreach (var user in lines.GroupBy(line => line.User))
        {
            var allowed = user.SelectMany(line => line.Types).ToHashSet();
            var named = NamedBy(graph, user.Key);
            foreach (var type in named.Except(allowed).Order(StringComparer.Ordinal))
                yield return $"{user.Key} names {type}, which is not on its list";
            foreach (var type in allowed.Except(named).Order(StringComparer.Ordinal))
                yield return $"{user.Key} does not name {type}: remove it from the list";
        }
    }

    // Types of the folder of the naming type belong to the user in any case.
    private static HashSet<string> NamedBy(ReferenceGraph graph, string user) =>
    [
        .. graph.Sites.Keys
            .Where(site => IsPartOf(PathOf(graph, site.From), user) && !IsPartOf(PathOf(graph, site.To), user)
                && graph.Folders[site.From] != graph.Folders[site.To])
            .Select(site => PathOf(graph, site.To)),
    ];

    private static bool IsPartOf(string type, string user) =>
        type == user || type.StartsWith(user + "/", StringComparison.Ordinal);

    private static string PathOf(ReferenceGraph graph, string type)
    {
        var name = type.Split('<')[0];
        var folder = graph.Folders[type];
        return (folder.Length == 0 ? "" : folder + "/") + name[(name.LastIndexOf('.') + 1)..];
    }
}
