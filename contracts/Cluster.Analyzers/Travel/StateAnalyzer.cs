using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Cluster.Analyzers.Travel;

/// <summary>Reports key and value types of states that cannot travel, where the state is registered.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class StateAnalyzer : DiagnosticAnalyzer
{
    private const string KeyOption = "KeyCodec";

    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [ClusterDiagnostics.Travel];

    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            var walk = new TravelWalk(new OptionsInUse(start.Compilation));
            start.RegisterOperationAction(one => Check(one, walk), OperationKind.Invocation);
        });
    }

    private static void Check(OperationAnalysisContext context, TravelWalk walk)
    {
        var call = (IInvocationOperation)context.Operation;
        if (Registrations.FindValue(call) is not ({ } value, { } valuePlace))
            return;
        if (walk.Find(value) is { } finding)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                ClusterDiagnostics.Travel, valuePlace, $"Value {SymbolNames.Show(value)}{finding.Path}",
                SymbolNames.Show(finding.Type), finding.Refusal.Reason));
        }

        if (Registrations.FindKey(call) is ({ } key, { } keyPlace) && !HasCanonicalForm(key) && !MayHaveCodec(call))
        {
            context.ReportDiagnostic(Diagnostic.Create(
                ClusterDiagnostics.Travel, keyPlace, "Key", SymbolNames.Show(key),
                "keys of this type have no canonical bytes; set KeyCodec in the options of the state, or use a string, "
                    + "an integer, a Guid or a byte array"));
        }
    }

    private static bool HasCanonicalForm(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => array is { IsSZArray: true, ElementType.SpecialType: SpecialType.System_Byte },
        INamedTypeSymbol { TypeKind: not (TypeKind.Error or TypeKind.Enum) } => type.SpecialType
            is SpecialType.System_String or SpecialType.System_Char
                or (>= SpecialType.System_SByte and <= SpecialType.System_UInt64)
            || SymbolNames.Of(type) is "System.Guid" or "System.Int128" or "System.UInt128",
        INamedTypeSymbol => type.TypeKind == TypeKind.Error,
        _ => true,
    };

    // Options that another method sets are not looked into.
    private static bool MayHaveCodec(IInvocationOperation call)
    {
        var configure = call.Arguments.FirstOrDefault(
            static argument => argument.Parameter?.Type.TypeKind == TypeKind.Delegate);
        if (configure is null or { ArgumentKind: ArgumentKind.DefaultValue })
            return false;
        return configure.Value is not IDelegateCreationOperation { Target: IAnonymousFunctionOperation }
            || configure.Syntax.DescendantTokens().Any(static token => token.ValueText == KeyOption)
            || configure.Syntax.DescendantNodes().OfType<InvocationExpressionSyntax>().Any();
    }
}
