using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Structure;

/// <summary>The allowed references between projects, checked in the project files: contracts ← {glue, statestore} ←
/// nodes. Production code never references tests.</summary>
internal sealed class ProjectReferenceRule : IRule
{
    private static readonly Dictionary<string, string[]> Allowed = new()
    {
        ["Cluster.Contracts"] = [],
        ["Cluster.Slim"] = [],
        ["Cluster.Analyzers"] = [],
        ["Cluster.Analyzers.CodeFixes"] = ["Cluster.Analyzers"],
        ["Cluster.Glue"] = ["Cluster.Contracts", "Cluster.Slim"],
        ["Cluster.Pile"] = ["Cluster.Slim"],
        ["Cluster.Buffers"] = ["Cluster.Pile"],
        ["Cluster.StateStore"] = ["Cluster.Contracts", "Cluster.Slim", "Cluster.Pile"],
        ["Cluster.Nodes"] =
            ["Cluster.Contracts", "Cluster.Slim", "Cluster.Glue", "Cluster.StateStore", "Cluster.Pile"],
        ["Cluster.Nodes.Consul"] = ["Cluster.Nodes"],
        ["Cluster.Nodes.AspNetCore"] = ["Cluster.Nodes"],
        ["Cluster.Templates"] = [],
        ["Cluster.Nodes.Storage"] = ["Cluster.Nodes"],
        ["Cluster.Nodes.Storage.Redis"] = ["Cluster.Nodes.Storage"],
        ["Cluster.NodeHost"] = ["Cluster.Nodes", "Cluster.Nodes.Consul"],
        ["Shop"] = ["Cluster.Nodes", "Cluster.Nodes.Consul"],
        ["Shop.Drive"] = ["Cluster.Nodes", "Cluster.Nodes.Consul", "Shop"],
    };

    public string Name => "project-references";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from project in repository.Projects
        where !project.IsTestCode
        from problem in ProblemsOf(project)
        select new Violation(project.Path, problem);

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        Project(
            "glue/Cluster.Glue/Cluster.Glue.csproj", "../../statestore/Cluster.StateStore/Cluster.StateStore.csproj"),
        Project("contracts/Cluster.Slim/Cluster.Slim.csproj", "../Cluster.Contracts/Cluster.Contracts.csproj"),
        Project("nodes/Shop/Shop.csproj", "..\\..\\tests\\Cluster.Testing\\Cluster.Testing.csproj"),
        Project("nodes/Samples/Idea/Idea.csproj", "../../Shop/Shop.csproj"),
        Project("nodes/Cluster.Unknown/Cluster.Unknown.csproj", "../Cluster.Nodes/Cluster.Nodes.csproj"),
    ];

    private static RepositorySnapshot Project(string path, string reference) =>
        RepositorySnapshot.Of((path, $"<Project><ProjectReference Include=\"{reference}\"/></Project>"));

    private static IEnumerable<string> ProblemsOf(ProjectFile project) =>
        AllowedFor(project) is { } allowed
            ? project.References.Except(allowed).Select(reference => $"must not reference {reference}")
            : ["a project that the architecture does not list needs a decision record and an entry here"];

    // A sample shows the packages, so it refers to nothing else.
    private static IEnumerable<string>? AllowedFor(ProjectFile project) =>
        project.Path.StartsWith("nodes/Samples/", StringComparison.Ordinal)
            ? Allowed.Keys.Where(static name => name.StartsWith("Cluster.", StringComparison.Ordinal))
            : Allowed.GetValueOrDefault(project.Name);
}
