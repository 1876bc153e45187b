using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Namespaces are file-scoped and consist of the project's name and the folders. Only registration methods are
/// in the namespaces where users look for them; each project has one file for each such namespace.</summary>
internal sealed class NamespaceRule : IRule
{
    // The namespaces of the host's own registration methods.
    private static readonly string[] OfRegistration =
        ["Microsoft.Extensions.DependencyInjection", "Microsoft.AspNetCore.Builder"];

    public string Name => "namespace";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        repository.Sources.SelectMany(CheckFile).Concat(CheckRegistration(repository));

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("namespace Cluster.Slim { sealed class Sample; }"),
        RepositorySnapshot.OfSource("namespace Cluster.Other; sealed class Sample;"),
        RepositorySnapshot.OfSource("sealed class Sample;"),
        RepositorySnapshot.Of(
            ("glue/Cluster.Glue/Cluster.Glue.csproj", "<Project/>"),
            ("glue/Cluster.Glue/Wire/Sample.cs", "namespace Cluster.Glue; sealed class Sample;")),
        RepositorySnapshot.Of(
            ("glue/Cluster.Glue/Cluster.Glue.csproj", "<Project/>"),
            ("glue/Cluster.Glue/OneExtensions.cs", "namespace Microsoft.AspNetCore.Builder; class OneExtensions;"),
            ("glue/Cluster.Glue/TwoExtensions.cs", "namespace Microsoft.AspNetCore.Builder; class TwoExtensions;")),
    ];

    private static IEnumerable<Violation> CheckFile(SourceFile source)
    {
        if (source.Root.DescendantNodes().OfType<NamespaceDeclarationSyntax>().FirstOrDefault() is { } block)
            yield return source.At(block, "the namespace is not file-scoped");

        var expected = string.Join('.', source.Folders.Prepend(source.Project.Name));
        var found = source.Namespace;
        var needsOne = source.TopLevelTypes.Any() && !source.Root.Members.OfType<GlobalStatementSyntax>().Any();
        if (found is null ? needsOne : found != expected && !IsRegistration(source))
            yield return new Violation(source.Path, $"namespace '{found}' is not {expected}, as its folders are");
    }

    private static IEnumerable<Violation> CheckRegistration(RepositorySnapshot repository) =>
        from source in repository.Sources
        where IsRegistration(source)
        group source by (source.Project.Name, source.Namespace) into files
        from further in files.Skip(1)
        select new Violation(further.Path, $"a second file of {files.Key.Name} in {files.Key.Namespace}");

    private static bool IsRegistration(SourceFile source) =>
        OfRegistration.Contains(source.Namespace) && source.Name.EndsWith("Extensions", StringComparison.Ordinal);
}
