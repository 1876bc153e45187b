using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.FindSymbols;
using static Microsoft.CodeAnalysis.CSharp.SyntaxFactory;

namespace Cluster.Analyzers.CodeFixes;

/// <summary>Adds a cancellation token to a method of a contract, and to the methods of the solution that implement
/// it.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(CancellationFix))]
[Shared]
internal sealed class CancellationFix : CodeFixProvider
{
    private const string Title = "Add a CancellationToken";
    private const string ParameterName = "cancellationToken";
    private const string TokenType = "System.Threading.CancellationToken";

    private static readonly ExpressionSyntax Default = LiteralExpression(SyntaxKind.DefaultLiteralExpression);

    public override ImmutableArray<string> FixableDiagnosticIds => [ClusterDiagnosticIds.CancellationToken];

    // Fixes of one file may change another one twice.
    public override FixAllProvider? GetFixAllProvider() => null;

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (var diagnostic in context.Diagnostics)
        {
            var method = root?.FindToken(diagnostic.Location.SourceSpan.Start).Parent?
                .FirstAncestorOrSelf<MethodDeclarationSyntax>();
            if (method is null || !CanGrow(method.ParameterList))
                continue;
            context.RegisterCodeFix(
                CodeAction.Create(Title, token => AddAsync(context.Document, method, token), Title), diagnostic);
        }
    }

    private static async Task<Solution> AddAsync(
        Document document, MethodDeclarationSyntax method, CancellationToken cancellationToken)
    {
        var solution = document.Project.Solution;
        var model = await document.GetSemanticModelAsync(cancellationToken).ConfigureAwait(false);
        List<SyntaxNode> declarations = [method];
        if (model?.GetDeclaredSymbol(method, cancellationToken) is { } symbol)
        {
            var implementations = await SymbolFinder.FindImplementationsAsync(
                symbol, solution, cancellationToken: cancellationToken).ConfigureAwait(false);
            foreach (var reference in implementations.SelectMany(static one => one.DeclaringSyntaxReferences))
                declarations.Add(await reference.GetSyntaxAsync(cancellationToken).ConfigureAwait(false));
        }

        foreach (var file in declarations.OfType<MethodDeclarationSyntax>().GroupBy(static one => one.SyntaxTree))
        {
            if (solution.GetDocument(file.Key) is not { } changed)
                continue;
            var editor = await DocumentEditor.CreateAsync(changed, cancellationToken).ConfigureAwait(false);
            foreach (var declaration in file.Where(static one => CanGrow(one.ParameterList)))
                Add(editor, declaration);
            solution = solution.WithDocumentSyntaxRoot(changed.Id, editor.GetChangedRoot());
        }

        return solution;
    }

    private static void Add(DocumentEditor editor, MethodDeclarationSyntax method)
    {
        if (editor.SemanticModel.Compilation.GetTypeByMetadataName(TokenType) is not { } token)
            return;
        var type = editor.Generator.TypeExpression(token);
        var parameter = (ParameterSyntax)editor.Generator.ParameterDeclaration(ParameterName, type);
        // In an explicit implementation a default value means nothing: the caller sees that of the interface.
        if (method.ExplicitInterfaceSpecifier is null)
            parameter = parameter.WithDefault(EqualsValueClause(Default));
        editor.AddParameter(method, parameter);
    }

    // Nothing may follow params, and the name must be free.
    private static bool CanGrow(ParameterListSyntax list) =>
        !list.Parameters.Any(static one =>
            one.Modifiers.Any(static word => word.ValueText == "params")
            || one.Identifier.ValueText == ParameterName);
}
