using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Only the files in <c>unsafe-files.txt</c> contain unsafe code. All of them belong to Pile, Buffers and
/// Slim, the only projects that allow unsafe code to their compiler. A listed file without unsafe code must leave the
/// list.</summary>
internal sealed class UnsafeRule : IRule
{
    private const string ListPath = "tests/Cluster.ConventionTests/unsafe-files.txt";
    private static readonly string[] AllowedProjects = ["Cluster.Pile", "Cluster.Buffers", "Cluster.Slim"];

    public string Name => "unsafe";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var listed = repository.ListLines(ListPath);
        var unsafeFiles = repository.Production.Where(HasUnsafe).ToDictionary(source => source.Path);
        var unlisted = unsafeFiles.Keys.Except(listed)
            .Select(path => new Violation(path, $"unsafe code outside of the files in {ListPath}"));
        var stale = listed.Except(unsafeFiles.Keys)
            .Select(path => new Violation(path, $"listed in {ListPath}, but without unsafe code"));
        var misplaced = unsafeFiles.Values.Where(source => !AllowedProjects.Contains(source.Project.Name))
            .Select(source => new Violation(source.Path, "unsafe code outside of Pile, Buffers and Slim"));
        var projects = repository.Projects
            .Where(project => !project.IsTestCode && !AllowedProjects.Contains(project.Name))
            .Where(project => project.Property("AllowUnsafeBlocks") is not null)
            .Select(project => new Violation(project.Path, "only Pile, Buffers and Slim may allow unsafe code"));
        return [.. unlisted, .. stale, .. misplaced, .. projects];
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("sealed unsafe class Sample;"),
        RepositorySnapshot.Of((ListPath, "contracts/Cluster.Slim/Gone.cs")),
        RepositorySnapshot.Of(
            (ListPath, "glue/Cluster.Glue/Sample.cs"),
            ("glue/Cluster.Glue/Cluster.Glue.csproj", "<Project/>"),
            ("glue/Cluster.Glue/Sample.cs", "sealed unsafe class Sample;")),
        RepositorySnapshot.Of(
            ("glue/Cluster.Glue/Cluster.Glue.csproj",
                "<Project><AllowUnsafeBlocks>true</AllowUnsafeBlocks></Project>")),
    ];

    private static bool HasUnsafe(SourceFile source) =>
        source.Root.DescendantTokens().Any(token => token.IsKind(SyntaxKind.UnsafeKeyword));
}
