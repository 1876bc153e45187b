using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Structure;

/// <summary>The solution contains every project and nothing else. Folder, project, assembly and root namespace of a
/// project have the same name.</summary>
internal sealed partial class SolutionRule : IRule
{
    private const string SolutionPath = "Cluster.sln";
    private static readonly string[] Overrides = ["AssemblyName", "RootNamespace"];

    public string Name => "solution";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var listed = ProjectPath().Matches(repository.Files[SolutionPath])
            .Select(match => match.Groups[1].Value.Replace('\\', '/'))
            .ToHashSet();
        var existing = repository.Projects.Select(project => project.Path).ToHashSet();
        var missing = existing.Except(listed).Select(path => new Violation(path, "is not in the solution"));
        var dead = listed.Except(existing)
            .Select(path => new Violation(SolutionPath, $"lists {path}, which is not there"));
        var misnamed = repository.Projects
            .Where(project => Path.GetFileName(project.Folder) != project.Name)
            .Select(project => new Violation(project.Path, "the folder has another name than the project"));
        var overridden =
            from project in repository.Projects
            from name in Overrides
            where project.Property(name) is not null
            select new Violation(project.Path, $"sets {name}: folder, project, assembly and namespace have one name");
        return [.. missing, .. dead, .. misnamed, .. overridden];
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of((SolutionPath, ""), ("glue/Cluster.Glue/Cluster.Glue.csproj", "<Project/>")),
        RepositorySnapshot.Of((SolutionPath, "\"Cluster.Glue\", \"glue\\Cluster.Glue\\Cluster.Glue.csproj\", ")),
        RepositorySnapshot.Of(
            (SolutionPath, "\"Cluster.Glue\", \"glue\\Rpc\\Cluster.Glue.csproj\", "),
            ("glue/Rpc/Cluster.Glue.csproj", "<Project/>")),
        RepositorySnapshot.Of(
            (SolutionPath, "\"Cluster.Glue\", \"glue\\Cluster.Glue\\Cluster.Glue.csproj\", "),
            ("glue/Cluster.Glue/Cluster.Glue.csproj", "<Project><AssemblyName>Rpc</AssemblyName></Project>")),
    ];

    [GeneratedRegex("\"([^\"]+\\.csproj)\"")]
    private static partial Regex ProjectPath();
}
