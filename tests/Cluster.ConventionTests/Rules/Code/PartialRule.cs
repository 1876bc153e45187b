using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>A type is partial only for a source generator. Its only further file may be <c>X.Log.cs</c>: if a file is
/// too long, a type must be extracted, not split.</summary>
internal sealed class PartialRule : IRule
{
    private static readonly string[] GeneratorAttributes =
        ["LoggerMessage", "JsonSerializable", "GeneratedRegex", "LibraryImport", "OptionsValidator"];

    public string Name => "partial";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Production
        from type in source.Types
        where type.Modifiers.Any(SyntaxKind.PartialKeyword)
        group (source, type) by $"{source.Project.Name}|{source.Namespace}|{type.Identifier.Text}" into parts
        let problem = ProblemOf([.. parts])
        where problem is not null
        select parts.First().source.At(parts.First().type, problem);

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("internal sealed partial class Sample;"),
        RepositorySnapshot.Of(
            ("contracts/Cluster.Slim/Cluster.Slim.csproj", "<Project/>"),
            ("contracts/Cluster.Slim/Sample.cs", "partial class Sample { [LoggerMessage] partial void A(); }"),
            ("contracts/Cluster.Slim/Sample.More.cs", "partial class Sample { }")),
    ];

    private static string? ProblemOf((SourceFile Source, BaseTypeDeclarationSyntax Type)[] parts)
    {
        var isGenerated = parts.Any(part => part.Type.DescendantNodes().OfType<AttributeSyntax>()
            .Any(attribute => GeneratorAttributes.Contains(attribute.Name.ToString())));
        var isOuter = parts.Any(part => part.Type.DescendantNodes().OfType<BaseTypeDeclarationSyntax>()
            .Any(inner => inner.Modifiers.Any(SyntaxKind.PartialKeyword)));
        if (!isGenerated && !isOuter)
            return "partial without a source generator: extract a type instead";

        var files = parts.Select(part => part.Source).Distinct()
            .Count(file => !file.Name.EndsWith(".Log", StringComparison.Ordinal));
        return files > 1 ? "split over several files: extract a type instead" : null;
    }
}
