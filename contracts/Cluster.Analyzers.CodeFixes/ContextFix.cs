using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.Analyzers.CodeFixes;

/// <summary>Replaces a clock or a generator in a state operation by that of its context, where both mean the
/// same.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ContextFix))]
[Shared]
internal sealed class ContextFix : CodeFixProvider
{
    // The analyzer writes the code to use under this name.
    private const string ReplacementKey = "replacement";

    public override ImmutableArray<string> FixableDiagnosticIds => [ClusterDiagnosticIds.OperationSource];

    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (var diagnostic in context.Diagnostics)
        {
            if (!diagnostic.Properties.TryGetValue(ReplacementKey, out var code) || code is null || root is null)
                continue;
            var source = root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true);
            var changed = SyntaxFactory.ParseExpression(code).WithTriviaFrom(source);
            context.RegisterCodeFix(
                CodeAction.Create(
                    $"Use {code}",
                    _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(source, changed))),
                    code),
                diagnostic);
        }
    }
}
