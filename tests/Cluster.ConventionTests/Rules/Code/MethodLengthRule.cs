using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Methods, constructors, accessors and local functions of production code have at most 70 lines.</summary>
internal sealed class MethodLengthRule : IRule
{
    private const int LineCountMax = 70;

    public string Name => "method-length";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Production
        from node in source.Root.DescendantNodes()
        where node is BaseMethodDeclarationSyntax or LocalFunctionStatementSyntax or AccessorDeclarationSyntax
        let count = LineCount(node)
        where count > LineCountMax
        select source.At(node, $"{count} lines in one method, at most {LineCountMax}");

    public IEnumerable<RepositorySnapshot> Counterexamples()
    {
        var body = string.Concat(Enumerable.Repeat("        x++;\n", LineCountMax));
        yield return RepositorySnapshot.OfSource($"class C\n{{\n    void M(int x)\n    {{\n{body}    }}\n}}\n");
    }

    private static int LineCount(SyntaxNode node)
    {
        var span = node.GetLocation().GetLineSpan();
        return span.EndLinePosition.Line - span.StartLinePosition.Line + 1;
    }
}
