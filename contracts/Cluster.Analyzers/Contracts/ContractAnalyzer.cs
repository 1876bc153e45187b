using Cluster.Analyzers.Travel;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Cluster.Analyzers.Contracts;

/// <summary>Reports what Glue refuses about a contract, and the parameters and results that Slim refuses, where the
/// contract is registered or a proxy of it is made.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class ContractAnalyzer : DiagnosticAnalyzer
{
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [ClusterDiagnostics.ContractMember, ClusterDiagnostics.Travel];

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
        if (Registrations.FindContract(call) is not ({ } type, { } place)
            || type is not INamedTypeSymbol contract || contract.TypeKind == TypeKind.Error)
            return;
        var problems = ContractRules.ProblemsOf(contract).ToArray();
        foreach (var problem in problems)
            Report(context, place, problem.Declaring, problem.Member, problem.Reason);
        if (problems.Length > 0)
            return;
        if (InstanceModes.ProblemOf(contract, call) is { } reason)
            Report(context, place, contract, null, reason);
        foreach (var method in ContractRules.MethodsOf(contract))
            CheckTravel(context, place, method, walk);
    }

    private static void CheckTravel(
        OperationAnalysisContext context, Location place, IMethodSymbol method, TravelWalk walk)
    {
        var result = SymbolNames.IsTask(method.ReturnType, out var awaited) ? awaited : method.ReturnType;
        if (result is { SpecialType: not SpecialType.System_Void })
            Report(context, place, (method, "result", result), walk);
        foreach (var parameter in method.Parameters.Where(static one => !SymbolNames.IsToken(one.Type)))
            Report(context, place, (method, $"parameter '{parameter.Name}'", parameter.Type), walk);
    }

    private static void Report(
        OperationAnalysisContext context,
        Location place,
        (IMethodSymbol Of, string What, ITypeSymbol Type) part,
        TravelWalk walk)
    {
        if (walk.Find(part.Type) is not { } finding)
            return;
        var owner = $"{SymbolNames.Show(part.Of.ContainingType)}.{part.Of.Name}";
        context.ReportDiagnostic(Diagnostic.Create(
            ClusterDiagnostics.Travel, place, PlacesOf(context, part.Of),
            $"{owner}, {part.What}{finding.Path}", SymbolNames.Show(finding.Type), finding.Refusal.Reason));
    }

    private static void Report(
        OperationAnalysisContext context, Location place, ITypeSymbol declaring, ISymbol? member, string reason) =>
        context.ReportDiagnostic(Diagnostic.Create(
            ClusterDiagnostics.ContractMember, place, PlacesOf(context, member), SymbolNames.Show(declaring), reason));

    // Only places in this compilation may be reported.
    private static IEnumerable<Location> PlacesOf(OperationAnalysisContext context, ISymbol? member) =>
        member is null
            ? []
            : member.Locations.Where(one => one.SourceTree is { } tree && context.Compilation.ContainsSyntaxTree(tree));
}
