using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Cluster.Analyzers.Buffers;

/// <summary>Finds reads and writes of a local variable or parameter below statements. Stateless.</summary>
internal static class VariableUses
{
    /// <summary>The number of places that may change the variable.</summary>
    public static int WriteCount(IEnumerable<IOperation> statements, ISymbol variable) =>
        ReferencesTo(statements, variable).Count(IsWrite);

    /// <summary>The first place that reads what the variable refers to; null if there is none. A span's length is part
    /// of the span.</summary>
    public static IOperation? FindRead(IEnumerable<IOperation> statements, ISymbol variable) =>
        ReferencesTo(statements, variable)
            .FirstOrDefault(static reference => !IsWrite(reference) && !IsHarmless(reference));

    /// <summary>Whether a method of the variable is called.</summary>
    public static bool IsCalled(IEnumerable<IOperation> statements, ISymbol variable, string method) =>
        ReferencesTo(statements, variable)
            .Any(reference => reference.Parent is IInvocationOperation call && call.TargetMethod.Name == method);

    private static IEnumerable<IOperation> ReferencesTo(IEnumerable<IOperation> statements, ISymbol variable) =>
        statements.SelectMany(static statement => statement.DescendantsAndSelf())
            .Where(one => one is ILocalReferenceOperation or IParameterReferenceOperation
                && SymbolEqualityComparer.Default.Equals(SpanOwners.VariableOf(one), variable));

    private static bool IsWrite(IOperation reference) => reference.Parent switch
    {
        IAssignmentOperation assignment => assignment.Target == reference,
        IArgumentOperation argument => argument.Parameter?.RefKind is RefKind.Ref or RefKind.Out,
        ITupleOperation or IAddressOfOperation => true,
        _ => false,
    };

    private static bool IsHarmless(IOperation reference) =>
        reference.Parent is INameOfOperation
            or IPropertyReferenceOperation { Property.Name: "Length" or "IsEmpty", Property.IsIndexer: false };
}
