using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Structure;

/// <summary>Production files lie at most two feature folders deep.</summary>
internal sealed class FolderRule : IRule
{
    private const int DepthMax = 2;

    public string Name => "folders";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) => repository.Production
        .Where(source => source.Folders.Length > DepthMax)
        .Select(source => new Violation(source.Path, $"{source.Folders.Length} folders deep, at most {DepthMax}"));

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of(
            ("glue/Cluster.Glue/Cluster.Glue.csproj", "<Project/>"),
            ("glue/Cluster.Glue/A/B/C/D.cs", "sealed class D;")),
    ];
}
