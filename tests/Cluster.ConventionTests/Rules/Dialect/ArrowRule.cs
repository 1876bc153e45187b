using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.ConventionTests.Rules.Dialect;

/// <summary>An arrow stands at the end of its line, not at the beginning of the next one.</summary>
internal sealed class ArrowRule : IRule
{
    public string Name => "arrow";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Sources
        from arrow in source.Root.DescendantTokens()
        where arrow.IsKind(SyntaxKind.EqualsGreaterThanToken) && LineOf(arrow) > LineOf(arrow.GetPreviousToken())
        select new Violation($"{source.Path}:{LineOf(arrow) + 1}", "the arrow belongs to the end of the line before");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("class C\n{\n    int M()\n        => 1;\n}\n"),
    ];

    private static int LineOf(SyntaxToken token) => token.GetLocation().GetLineSpan().StartLinePosition.Line;
}
