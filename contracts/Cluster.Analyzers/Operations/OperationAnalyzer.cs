using Cluster.Analyzers.Travel;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Cluster.Analyzers.Operations;

/// <summary>Reports state operations that hold services or values that cannot travel, and those that read clocks or
/// take random numbers when they run.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class OperationAnalyzer : DiagnosticAnalyzer
{
    private const string Contract = "Cluster.StateStore.IStateOperation`2";
    private const string Run = "Apply";

    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [ClusterDiagnostics.Travel, ClusterDiagnostics.OperationService, ClusterDiagnostics.OperationSource];

    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName(Contract) is null)
                return;
            var walk = new TravelWalk(new OptionsInUse(start.Compilation));
            start.RegisterSymbolStartAction(one => Start(one, walk), SymbolKind.NamedType);
        });
    }

    private static void Start(SymbolStartAnalysisContext context, TravelWalk walk)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct)
            || !type.AllInterfaces.Any(static one => SymbolNames.IsOfCluster(one, Contract)))
            return;
        var captured = new ConcurrentDictionary<ISymbol, bool>(SymbolEqualityComparer.Default);
        context.RegisterOperationAction(
            one => Collect(one, type, captured), OperationKind.ParameterReference);
        context.RegisterOperationAction(
            one => CheckSource(one, type),
            OperationKind.PropertyReference, OperationKind.Invocation, OperationKind.ObjectCreation);
        context.RegisterSymbolEndAction(end => CheckFields(end, type, captured.Keys, walk));
    }

    // A parameter of a primary constructor that a method uses becomes a field. The compiler makes its symbol late.
    private static void Collect(
        OperationAnalysisContext context, INamedTypeSymbol type, ConcurrentDictionary<ISymbol, bool> captured)
    {
        var parameter = ((IParameterReferenceOperation)context.Operation).Parameter;
        if (parameter.ContainingSymbol is IMethodSymbol { MethodKind: MethodKind.Constructor } constructor
            && SymbolEqualityComparer.Default.Equals(constructor.ContainingType, type)
            && context.ContainingSymbol is IMethodSymbol method
            && !SymbolEqualityComparer.Default.Equals(method, constructor))
            captured.TryAdd(parameter, true);
    }

    private static void CheckSource(OperationAnalysisContext context, INamedTypeSymbol type)
    {
        if (context.ContainingSymbol is not IMethodSymbol method
            || !SymbolEqualityComparer.Default.Equals(method.ContainingType, type)
            || !IsRun(method)
            || ForbiddenSources.Find(context.Operation) is not { } source)
            return;
        var name = method.Parameters[method.Parameters.Length - 1].Name;
        var fix = source.Replacement is { } replacement
            ? ImmutableDictionary<string, string?>.Empty.Add(ForbiddenSource.ReplacementKey, $"{name}.{replacement}")
            : ImmutableDictionary<string, string?>.Empty;
        context.ReportDiagnostic(Diagnostic.Create(
            ClusterDiagnostics.OperationSource, context.Operation.Syntax.GetLocation(), fix,
            type.Name, source.Name, source.Advice));
    }

    private static bool IsRun(IMethodSymbol method) =>
        method.Parameters.Length == 2
        && (method.Name == Run || method.ExplicitInterfaceImplementations.Any(static one => one.Name == Run));

    private static void CheckFields(
        SymbolAnalysisContext context, INamedTypeSymbol type, IEnumerable<ISymbol> captured, TravelWalk walk)
    {
        foreach (var field in TypeRefusals.FieldsOf(type).Where(static one => !TypeRefusals.IsOfParameter(one)))
            CheckField(context, type, field.AssociatedSymbol ?? field, field.Type, walk);
        foreach (var parameter in captured.OfType<IParameterSymbol>())
            CheckField(context, type, parameter, parameter.Type, walk);
    }

    private static void CheckField(
        SymbolAnalysisContext context, INamedTypeSymbol type, ISymbol member, ITypeSymbol held, TravelWalk walk)
    {
        var place = member.Locations.Concat(type.Locations)
            .First(one => one.SourceTree is { } tree && context.Compilation.ContainsSyntaxTree(tree));
        if (ServiceTypes.Contains(held))
        {
            context.ReportDiagnostic(Diagnostic.Create(
                ClusterDiagnostics.OperationService, place, type.Name, member.Name, SymbolNames.Show(held)));
        }
        else if (walk.Find(held) is { } finding)
        {
            context.ReportDiagnostic(Diagnostic.Create(
                ClusterDiagnostics.Travel, place, $"Operation {type.Name}.{member.Name}{finding.Path}",
                SymbolNames.Show(finding.Type), finding.Refusal.Reason));
        }
    }
}
