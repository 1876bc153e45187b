using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Cluster.Analyzers.Contracts;

/// <summary>Hints at asynchronous methods of contracts that no caller can cancel.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class CancellationAnalyzer : DiagnosticAnalyzer
{
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [ClusterDiagnostics.CancellationToken];

    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            var contracts = new ContractNames(start.Compilation);
            start.RegisterSymbolAction(one => Check(one, contracts), SymbolKind.NamedType);
        });
    }

    private static void Check(SymbolAnalysisContext context, ContractNames contracts)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (type.TypeKind != TypeKind.Interface || !contracts.Contains(type))
            return;
        foreach (var method in type.GetMembers().OfType<IMethodSymbol>().Where(LacksToken))
        {
            context.ReportDiagnostic(Diagnostic.Create(
                ClusterDiagnostics.CancellationToken, method.Locations[0], $"{type.Name}.{method.Name}"));
        }
    }

    // A one-way call is over when it is queued. The token of a stream is that of its reader.
    private static bool LacksToken(IMethodSymbol method) =>
        method.MethodKind == MethodKind.Ordinary && ContractRules.IsRemote(method)
        && SymbolNames.IsTask(method.ReturnType, out _)
        && !method.Parameters.Any(static one => SymbolNames.IsToken(one.Type))
        && !SymbolNames.HasAttribute(method, ContractRules.OneWay)
        && !method.ContainingType.GetMembers(method.Name).OfType<IMethodSymbol>().Any(other => IsTwin(method, other));

    // Another method of the same name takes the same parameters and a token.
    private static bool IsTwin(IMethodSymbol method, IMethodSymbol other)
    {
        var types = other.Parameters.Where(static one => !SymbolNames.IsToken(one.Type)).Select(static one => one.Type);
        return !SymbolEqualityComparer.Default.Equals(method, other)
            && types.SequenceEqual(method.Parameters.Select(static one => one.Type), SymbolEqualityComparer.Default);
    }
}
