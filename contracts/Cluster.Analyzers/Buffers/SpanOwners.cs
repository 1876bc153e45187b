using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Cluster.Analyzers.Buffers;

/// <summary>Recognizes spans of buffers and of views of piles, their owners, and the calls that end an owner.
/// Stateless.</summary>
internal static class SpanOwners
{
    // The owners, each with the method that ends it.
    private static readonly Dictionary<string, string> Ends = new()
    {
        ["Cluster.Buffers.SafeArray`1"] = "Dispose",
        ["Cluster.Buffers.HugeArray`1"] = "Dispose",
        ["Cluster.Buffers.PileBuffer`1"] = "Free",
        ["Cluster.Buffers.Utf8FixedString"] = "Free",
        ["Cluster.Pile.PileView"] = "Dispose",
    };

    /// <summary>The variable of whose memory a value is a span; null if it is none.</summary>
    public static ISymbol? Find(IOperation? value)
    {
        value = Unwrap(value);
        if (value is not { Type.IsRefLikeType: true })
            return null;
        return value switch
        {
            IInvocationOperation { TargetMethod.Name: "AsSpan", Instance: { } owner } => OwnerIn(owner),
            IInvocationOperation { TargetMethod.Name: "Slice", Instance: { } span } => Find(span),
            IPropertyReferenceOperation { Property.Name: "Span", Instance: { } owner } => OwnerIn(owner),
            IPropertyReferenceOperation { Property.IsIndexer: true, Instance: { } owner } => OwnerIn(owner),
            IImplicitIndexerReferenceOperation { Instance: { } span } => Find(span),
            _ => null,
        };
    }

    private static ISymbol? OwnerIn(IOperation owner) => EndOf(owner.Type) is null ? null : VariableOf(owner);

    /// <summary>The variable whose memory a statement gives back; null if it gives back none.</summary>
    public static ISymbol? FindEnded(IOperation statement) =>
        statement is IExpressionStatementOperation { Operation: IInvocationOperation { Instance: { } owner } call }
            && call.Arguments.IsEmpty && call.TargetMethod.Name == EndOf(owner.Type)
            ? VariableOf(owner)
            : null;

    /// <summary>The name of the method that gives the memory of a variable back.</summary>
    public static string EndOf(ISymbol variable) => EndOf(TypeOf(variable)) ?? "";

    /// <summary>The variable that an expression names; null if it is another expression.</summary>
    public static ISymbol? VariableOf(IOperation? operation) => Unwrap(operation) switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        _ => null,
    };

    private static string? EndOf(ITypeSymbol? type) =>
        type is not null && SymbolNames.IsInCluster(type) && Ends.TryGetValue(SymbolNames.Of(type), out var end)
            ? end
            : null;

    private static ITypeSymbol? TypeOf(ISymbol variable) =>
        (variable as ILocalSymbol)?.Type ?? (variable as IParameterSymbol)?.Type;

    private static IOperation? Unwrap(IOperation? operation)
    {
        while (operation is IConversionOperation or IParenthesizedOperation)
        {
            operation = operation is IConversionOperation conversion
                ? conversion.Operand
                : ((IParenthesizedOperation)operation).Operand;
        }

        return operation;
    }
}
