using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Structure;

/// <summary>Only the matching test project, the test kit and the benchmarks can see the internals of a project.
/// Directory.Build.targets says so once for all projects, and no project adds others.</summary>
internal sealed partial class FriendRule : IRule
{
    private const string CommonPath = "Directory.Build.targets";

    private static readonly string[] Friends =
        ["$(MSBuildProjectName).Tests", "Cluster.Testing", "Cluster.Benchmarks"];

    public string Name => "friends";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var inCode =
            from source in repository.Sources
            where source.Root.AttributeLists.ToString().Contains("InternalsVisibleTo", StringComparison.Ordinal)
            select new Violation(source.Path, "opens internals by an attribute");
        var inBuild =
            from file in repository.Files
            where Path.GetExtension(file.Key) is ".csproj" or ".props" or ".targets"
            from match in Friend().Matches(file.Value)
            let friend = match.Groups[1].Value
            where file.Key != CommonPath || !Friends.Contains(friend)
            select new Violation(file.Key, $"opens internals to {friend}");
        return [.. inCode, .. inBuild];
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"X\")]"),
        RepositorySnapshot.Of((
            "glue/Cluster.Glue/Cluster.Glue.csproj",
            "<Project><InternalsVisibleTo Include=\"Cluster.Nodes\"/></Project>")),
        RepositorySnapshot.Of((CommonPath, "<Project><InternalsVisibleTo Include=\"Shop\"/></Project>")),
    ];

    [GeneratedRegex("<InternalsVisibleTo\\s+Include=\"([^\"]+)\"")]
    private static partial Regex Friend();
}
