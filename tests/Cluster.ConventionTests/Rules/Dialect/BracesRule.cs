using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Cluster.ConventionTests.Rules.Dialect;

/// <summary>A one-line statement after a one-line condition or loop head has no braces; analyzers require braces
/// everywhere else. With <c>else</c>, all branches have braces if one of them needs them.</summary>
internal sealed class BracesRule : IRule
{
    public string Name => "braces";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Sources
        from statement in source.Root.DescendantNodes().OfType<StatementSyntax>()
        where statement is not IfStatementSyntax { Parent: ElseClauseSyntax }
        let bodies = BodiesOf(statement).ToArray()
        where bodies.Length > 0 && bodies.All(body => IsPlain(statement, body))
        from body in bodies
        where body is BlockSyntax
        select source.At(body, "braces around one line");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("class C { void M() {\nif (a)\n{\nB();\n}\n} }"),
        RepositorySnapshot.OfSource("class C { void M() {\nif (a)\n{\nB();\n}\nelse\nD();\n} }"),
        RepositorySnapshot.OfSource("class C { void M() {\nforeach (var a in b)\n{\nB();\n}\n} }"),
    ];

    private static IEnumerable<StatementSyntax> BodiesOf(StatementSyntax statement) => statement switch
    {
        IfStatementSyntax condition => BranchesOf(condition),
        ForStatementSyntax loop => [loop.Statement],
        CommonForEachStatementSyntax loop => [loop.Statement],
        WhileStatementSyntax loop => [loop.Statement],
        LockStatementSyntax scope => [scope.Statement],
        UsingStatementSyntax scope => [scope.Statement],
        FixedStatementSyntax scope => [scope.Statement],
        _ => [],
    };

    private static IEnumerable<StatementSyntax> BranchesOf(IfStatementSyntax condition)
    {
        yield return condition.Statement;
        if (condition.Else is not { Statement: var last })
            yield break;
        foreach (var branch in last is IfStatementSyntax next ? BranchesOf(next) : [last])
            yield return branch;
    }

    private static bool IsPlain(StatementSyntax statement, StatementSyntax body)
    {
        var inner = body is BlockSyntax block ? block.Statements is [var only] ? only : null : body;
        return inner is not (null or LocalDeclarationStatementSyntax or LocalFunctionStatementSyntax)
            && !BodiesOf(inner).Any()
            && !body.DescendantTrivia().Any(trivia => trivia.IsKind(SyntaxKind.SingleLineCommentTrivia))
            && IsOneLine(inner.GetLocation())
            && IsOneLine(Location.Create(statement.SyntaxTree, HeadOf(body.Parent!, body)));
    }

    // The text before the body: the condition, or the head of the loop.
    private static TextSpan HeadOf(SyntaxNode parent, StatementSyntax body) =>
        TextSpan.FromBounds(parent.SpanStart, body.GetFirstToken().GetPreviousToken().Span.End);

    private static bool IsOneLine(Location location)
    {
        var span = location.GetLineSpan();
        return span.StartLinePosition.Line == span.EndLinePosition.Line;
    }
}
