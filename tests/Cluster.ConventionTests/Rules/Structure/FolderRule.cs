using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Structure;

/// <summary>Production files are at most two feature folders deep, with at most 20 files in one folder.</summary>
internal sealed class FolderRule : IRule
{
    private const int DepthMax = 2;
    private const int FileCountMax = 20;

    public string Name => "folders";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) => repository.Production
        .Where(source => source.Folders.Length > DepthMax)
        .Select(source => new Violation(source.Path, $"{source.Folders.Length} folders deep, at most {DepthMax}"))
        .Concat(repository.Production
            .GroupBy(source => source.Path[..source.Path.LastIndexOf('/')])
            .Where(folder => folder.Count() > FileCountMax)
            .Select(folder => new Violation(folder.Key, $"{folder.Count()} files, at most {FileCountMax}")));

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of(
            ("glue/Cluster.Glue/Cluster.Glue.csproj", "<Project/>"),
            ("glue/Cluster.Glue/A/B/C/D.cs", "sealed class D;")),
        RepositorySnapshot.Of(
        [
            ("glue/Cluster.Glue/Cluster.Glue.csproj", "<Project/>"),
            .. Enumerable.Range(0, FileCountMax + 1).Select(i => ($"glue/Cluster.Glue/C{i}.cs", $"sealed class C{i};")),
        ]),
    ];
}
