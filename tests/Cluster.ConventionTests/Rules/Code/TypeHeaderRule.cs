using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Every type of production code, including internal and nested types, has a header comment that says what the
/// type is for. For a partial type, one header is enough. The compiler checks public members.</summary>
internal sealed class TypeHeaderRule : IRule
{
    private const int LengthMin = 15;

    public string Name => "type-header";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Production
        from type in source.TopLevelTypes.Concat(source.Types).Distinct()
        group (source, type) by $"{source.Project.Name}|{source.Namespace}|{SourceFile.NameOf(type)}" into parts
        where !parts.Any(part => HasHeader(part.type))
        let first = parts.First()
        select first.source.At(first.type, $"{SourceFile.NameOf(first.type)} has no header comment");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("internal sealed class Sample;"),
        RepositorySnapshot.OfSource("/// <summary></summary>\ninternal sealed class Sample;"),
        RepositorySnapshot.OfSource(
            "/// <summary>Says what it is for.</summary>\nsealed class Sample { enum Inner { A } }"),
    ];

    private static bool HasHeader(MemberDeclarationSyntax type) => type.GetLeadingTrivia()
        .Select(trivia => trivia.GetStructure())
        .OfType<DocumentationCommentTriviaSyntax>()
        .SelectMany(comment => comment.Content.OfType<XmlElementSyntax>())
        .Where(element => element.StartTag.Name.ToString() == "summary")
        .Any(element => element.Content.ToString().Trim().Length >= LengthMin);
}
