using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Control statements of production code are nested at most four deep. <c>else if</c> does not count as
/// nesting.</summary>
internal sealed class NestingRule : IRule
{
    private const int DepthMax = 4;

    public string Name => "nesting";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Production
        from node in source.Root.DescendantNodes()
        where IsControl(node) && DepthOf(node) == DepthMax + 1
        select source.At(node, $"nested deeper than {DepthMax}");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource(
            "class C { void M() { if (a) { while (b) { if (c) { try { if (d) { } } finally { } } } } } }"),
    ];

    private static int DepthOf(SyntaxNode node) => node
        .AncestorsAndSelf()
        .TakeWhile(ancestor => ancestor is not (BaseMethodDeclarationSyntax or LocalFunctionStatementSyntax))
        .Count(IsControl);

    private static bool IsControl(SyntaxNode node) => node switch
    {
        IfStatementSyntax { Parent: ElseClauseSyntax } => false,
        IfStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax or WhileStatementSyntax => true,
        DoStatementSyntax or SwitchStatementSyntax or TryStatementSyntax or LockStatementSyntax => true,
        // Usually a second using or fixed is written directly below the first, without indentation, so it does not
        // count.
        UsingStatementSyntax { Parent: not UsingStatementSyntax } => true,
        FixedStatementSyntax { Parent: not FixedStatementSyntax } => true,
        _ => false,
    };
}
