using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Cluster.Analyzers.Buffers;

/// <summary>Reports spans that are certainly used after their owner has ended, within one method: after a statement of
/// the same block that ends the owner, after the <c>using</c> of the owner, and in the result of the method that ends
/// it.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class SpanLifetimeAnalyzer : DiagnosticAnalyzer
{
    private const string Buffers = "Cluster.Buffers.SafeArray`1";
    private const string Views = "Cluster.Pile.PileView";
    private const string Lease = "Retain";

    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [ClusterDiagnostics.SpanLifetime];

    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName(Buffers) is null
                && start.Compilation.GetTypeByMetadataName(Views) is null)
                return;
            start.RegisterOperationAction(CheckBlock, OperationKind.Block);
            start.RegisterOperationAction(CheckReturn, OperationKind.Return);
        });
    }

    private static void CheckBlock(OperationAnalysisContext context)
    {
        var statements = ((IBlockOperation)context.Operation).Operations;
        for (var i = 0; i < statements.Length; i++)
        {
            foreach (var (span, owner) in SpansOf(statements[i]))
                CheckEnd(context, statements, i, (span, owner));
            if (BodyOf(statements[i]) is { } body)
                CheckScope(context, statements, i, body);
        }
    }

    // The memory is given back by a statement of the block, and a later one uses the span.
    private static void CheckEnd(
        OperationAnalysisContext context,
        ImmutableArray<IOperation> statements,
        int made,
        (ISymbol Span, ISymbol Owner) pair)
    {
        var later = statements.Skip(made + 1).ToArray();
        var end = Array.FindIndex(later, statement => Equal(SpanOwners.FindEnded(statement), pair.Owner));
        if (end < 0 || VariableUses.WriteCount(later, pair.Span) > 0 || VariableUses.WriteCount(later, pair.Owner) > 0
            || VariableUses.IsCalled(statements, pair.Owner, Lease))
            return;
        if (VariableUses.FindRead(later.Skip(end + 1), pair.Span) is { } use)
            Report(context, use, pair.Owner, $"{pair.Owner.Name}.{SpanOwners.EndOf(pair.Owner)}()");
    }

    // A variable outside of a scope keeps the span of an owner whose using ends with the scope.
    private static void CheckScope(
        OperationAnalysisContext context,
        ImmutableArray<IOperation> statements,
        int scope,
        ImmutableArray<IOperation> body)
    {
        var later = statements.Skip(scope + 1).ToArray();
        foreach (var statement in body.OfType<IExpressionStatementOperation>())
        {
            foreach (var (span, owner) in SpansOf(statement))
            {
                if (owner is ILocalSymbol { IsUsing: true } && IsInside(owner, statements[scope])
                    && !IsInside(span, statements[scope])
                    && VariableUses.WriteCount(body.Concat(later), span) == 1
                    && VariableUses.FindRead(later, span) is { } use)
                    Report(context, use, owner, $"the end of its using");
            }
        }
    }

    private static void CheckReturn(OperationAnalysisContext context)
    {
        var value = ((IReturnOperation)context.Operation).ReturnedValue;
        if (value?.Type is not { IsRefLikeType: true })
            return;
        var owner = SpanOwners.Find(value) ?? OwnerOfKept(SpanOwners.VariableOf(value), context.Operation);
        var method = context.Operation.SemanticModel?.GetEnclosingSymbol(
            context.Operation.Syntax.SpanStart, context.CancellationToken);
        if (owner is ILocalSymbol { IsUsing: true } && Equal(owner.ContainingSymbol, method))
            Report(context, value, owner, "the end of the method");
    }

    // The owner of a span in a variable that is written once, where it is declared in a block around the statement.
    private static ISymbol? OwnerOfKept(ISymbol? span, IOperation statement)
    {
        for (var outer = span is null ? null : statement.Parent; outer is not null; outer = outer.Parent)
        {
            if (outer is not IBlockOperation { Operations: var statements })
                continue;
            var found = statements.SelectMany(SpansOf).FirstOrDefault(pair => Equal(pair.Span, span)).Owner;
            if (found is not null)
                return VariableUses.WriteCount(statements, span!) == 0 ? found : null;
        }

        return null;
    }

    private static IEnumerable<(ISymbol Span, ISymbol Owner)> SpansOf(IOperation statement)
    {
        if (statement is IVariableDeclarationGroupOperation group)
        {
            return group.Declarations.SelectMany(static one => one.Declarators)
                .Where(static one => one.Symbol.Type.IsRefLikeType && !one.Symbol.IsUsing)
                .Select(static one => ((ISymbol)one.Symbol, SpanOwners.Find(one.Initializer?.Value)))
                .Where(static pair => pair.Item2 is not null)!;
        }

        return statement is IExpressionStatementOperation { Operation: ISimpleAssignmentOperation assignment }
            && SpanOwners.VariableOf(assignment.Target) is { } span && SpanOwners.Find(assignment.Value) is { } owner
            ? [(span, owner)]
            : [];
    }

    private static ImmutableArray<IOperation>? BodyOf(IOperation statement) => statement switch
    {
        IUsingOperation { Body: IBlockOperation body } => body.Operations,
        IBlockOperation block => block.Operations,
        _ => null,
    };

    private static bool IsInside(ISymbol variable, IOperation scope) =>
        variable.Locations.Any(place => place.SourceTree == scope.Syntax.SyntaxTree
            && scope.Syntax.Span.Contains(place.SourceSpan));

    private static bool Equal(ISymbol? one, ISymbol? other) => SymbolEqualityComparer.Default.Equals(one, other);

    private static void Report(OperationAnalysisContext context, IOperation use, ISymbol owner, string end) =>
        context.ReportDiagnostic(
            Diagnostic.Create(ClusterDiagnostics.SpanLifetime, use.Syntax.GetLocation(), owner.Name, end));
}
