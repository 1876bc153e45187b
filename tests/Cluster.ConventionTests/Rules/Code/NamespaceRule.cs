using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Namespaces are file-scoped and are the project's name, followed by some or all of the folders: public types
/// of a feature may live in the project's own namespace, and registration methods where users have them
/// already.</summary>
internal sealed class NamespaceRule : IRule
{
    // Where the host's own registration methods are.
    private static readonly string[] OfRegistration =
        ["Microsoft.Extensions.DependencyInjection", "Microsoft.AspNetCore.Builder"];

    public string Name => "namespace";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) => repository.Sources.SelectMany(CheckFile);

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("namespace Cluster.Slim { sealed class Sample; }"),
        RepositorySnapshot.OfSource("namespace Cluster.Other; sealed class Sample;"),
        RepositorySnapshot.OfSource("sealed class Sample;"),
    ];

    private static IEnumerable<Violation> CheckFile(SourceFile source)
    {
        if (source.Root.DescendantNodes().OfType<NamespaceDeclarationSyntax>().FirstOrDefault() is { } block)
            yield return source.At(block, "the namespace is not file-scoped");

        var allowed = Enumerable.Range(0, source.Folders.Length + 1)
            .Select(count => string.Join('.', source.Folders.Take(count).Prepend(source.Project.Name)))
            .Concat(source.Name.EndsWith("Extensions", StringComparison.Ordinal) ? OfRegistration : []);
        var found = source.Namespace;
        var needsOne = source.TopLevelTypes.Any() && !source.Root.Members.OfType<GlobalStatementSyntax>().Any();
        if (found is null ? needsOne : !allowed.Contains(found))
            yield return new Violation(source.Path, $"namespace '{found}' is not {string.Join(" or ", allowed)}");
    }
}
