using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;

namespace Cluster.Analyzers.CodeFixes;

/// <summary>Replaces a blocking wait by <c>await</c>, where the code around it is asynchronous already.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(AwaitFix))]
[Shared]
internal sealed class AwaitFix : CodeFixProvider
{
    private const string Title = "Await the call";

    public override ImmutableArray<string> FixableDiagnosticIds => [ClusterDiagnosticIds.BlockingWait];

    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (var diagnostic in context.Diagnostics)
        {
            var wait = root?.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true) as ExpressionSyntax;
            if (wait is null || FindTask(wait) is not { } task || !IsInAsynchronousCode(wait))
                continue;
            context.RegisterCodeFix(
                CodeAction.Create(Title, _ => Task.FromResult(Replace(context.Document, root!, wait, task)), Title),
                diagnostic);
        }
    }

    private static Document Replace(Document document, SyntaxNode root, ExpressionSyntax wait, ExpressionSyntax task)
    {
        ExpressionSyntax awaiting = SyntaxFactory.AwaitExpression(task.WithoutTrivia());
        if (wait.Parent is MemberAccessExpressionSyntax or ConditionalAccessExpressionSyntax
            or ElementAccessExpressionSyntax or InvocationExpressionSyntax or PostfixUnaryExpressionSyntax)
            awaiting = SyntaxFactory.ParenthesizedExpression(awaiting);
        awaiting = awaiting.WithTriviaFrom(wait).WithAdditionalAnnotations(Formatter.Annotation);
        return document.WithSyntaxRoot(root.ReplaceNode(wait, awaiting));
    }

    // A wait with a time limit or a token means something else than await.
    private static ExpressionSyntax? FindTask(ExpressionSyntax wait) => wait switch
    {
        MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Result" } read => read.Expression,
        InvocationExpressionSyntax
        {
            ArgumentList.Arguments.Count: 0,
            Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Wait" } call,
        } => call.Expression,
        InvocationExpressionSyntax
        {
            Expression: MemberAccessExpressionSyntax
            {
                Name.Identifier.ValueText: "GetResult",
                Expression: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax awaiter },
            },
        } => awaiter.Expression,
        _ => null,
    };

    private static bool IsInAsynchronousCode(SyntaxNode node)
    {
        foreach (var outer in node.Ancestors())
        {
            switch (outer)
            {
                case LockStatementSyntax or UnsafeStatementSyntax or QueryExpressionSyntax:
                    return false;
                case AnonymousFunctionExpressionSyntax function:
                    return function.AsyncKeyword.IsKind(SyntaxKind.AsyncKeyword);
                case LocalFunctionStatementSyntax function:
                    return function.Modifiers.Any(SyntaxKind.AsyncKeyword);
                case BaseMethodDeclarationSyntax method:
                    return method.Modifiers.Any(SyntaxKind.AsyncKeyword);
                case GlobalStatementSyntax:
                    return true;
                case MemberDeclarationSyntax:
                    return false;
            }
        }

        return false;
    }
}
