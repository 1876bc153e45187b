using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Every class and record class of production code is sealed, static or abstract.</summary>
internal sealed class SealedRule : IRule
{
    private static readonly SyntaxKind[] Closed =
        [SyntaxKind.SealedKeyword, SyntaxKind.StaticKeyword, SyntaxKind.AbstractKeyword];

    public string Name => "sealed";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        // The parts of one type share their modifiers, so they are checked together.
        from source in repository.Production
        from type in source.Types
        where type.IsKind(SyntaxKind.ClassDeclaration) || type.IsKind(SyntaxKind.RecordDeclaration)
        group (source, type) by $"{source.Project.Name}|{source.Namespace}|{FullName(type)}" into parts
        where !parts.Any(part => part.type.Modifiers.Any(modifier => Closed.Contains(modifier.Kind())))
        select parts.First().source.At(parts.First().type, $"{parts.First().type.Identifier.Text} is not sealed");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("internal class Sample;"),
        RepositorySnapshot.OfSource("internal record Sample(int A);"),
        RepositorySnapshot.OfSource("internal sealed class Sample { private class Inner; }"),
    ];

    private static string FullName(BaseTypeDeclarationSyntax type) => string.Join(
        '.',
        type.AncestorsAndSelf().OfType<BaseTypeDeclarationSyntax>().Reverse()
            .Select(part => part.Identifier.Text + (part as TypeDeclarationSyntax)?.TypeParameterList));
}
