using Cluster.Analyzers.Contracts;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Cluster.Analyzers.Waits;

/// <summary>Reports threads that block on the task of a remote call, where the call stands in the same expression. A
/// task that was kept in a variable may have been awaited before, so it is not reported.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class BlockingWaitAnalyzer : DiagnosticAnalyzer
{
    private const string State = "Cluster.StateStore.IPartitionedState`2";

    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [ClusterDiagnostics.BlockingWait];

    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            var contracts = new ContractNames(start.Compilation);
            start.RegisterOperationAction(one => CheckProperty(one, contracts), OperationKind.PropertyReference);
            start.RegisterOperationAction(one => CheckInvocation(one, contracts), OperationKind.Invocation);
        });
    }

    private static void CheckProperty(OperationAnalysisContext context, ContractNames contracts)
    {
        var read = (IPropertyReferenceOperation)context.Operation;
        if (read.Property.Name == "Result" && read.Instance?.Type is { } type && SymbolNames.IsTask(type, out _))
            Report(context, read.Instance, ".Result", contracts);
    }

    private static void CheckInvocation(OperationAnalysisContext context, ContractNames contracts)
    {
        var call = (IInvocationOperation)context.Operation;
        switch (call.TargetMethod.Name)
        {
            case "Wait" when call.Instance?.Type is { } type && SymbolNames.IsTask(type, out _):
                Report(context, call.Instance, ".Wait()", contracts);
                break;
            case "GetResult" when Unwrap(call.Instance) is IInvocationOperation awaiter
                && awaiter.TargetMethod.Name == "GetAwaiter":
                Report(context, awaiter.Instance, ".GetAwaiter().GetResult()", contracts);
                break;
        }
    }

    private static void Report(
        OperationAnalysisContext context, IOperation? task, string what, ContractNames contracts)
    {
        if (FindCall(task) is not { } call || !IsRemote(call.TargetMethod, contracts))
            return;
        var owner = SymbolNames.Show(call.TargetMethod.ContainingType);
        context.ReportDiagnostic(Diagnostic.Create(
            ClusterDiagnostics.BlockingWait, context.Operation.Syntax.GetLocation(),
            $"{owner}.{call.TargetMethod.Name}", what));
    }

    // Passes AsTask, Preserve and ConfigureAwait.
    private static IInvocationOperation? FindCall(IOperation? task)
    {
        var call = Unwrap(task) as IInvocationOperation;
        while (call is { TargetMethod.Name: "AsTask" or "Preserve" or "ConfigureAwait", Instance: { } inner }
            && SymbolNames.IsTask(call.TargetMethod.ContainingType, out _))
            call = Unwrap(inner) as IInvocationOperation;
        return call;
    }

    private static bool IsRemote(IMethodSymbol method, ContractNames contracts) =>
        SymbolNames.IsTask(method.ReturnType, out _)
        && (SymbolNames.IsOfCluster(method.ContainingType, State)
            || (ContractRules.IsRemote(method) && contracts.Contains(method.ContainingType)));

    private static IOperation? Unwrap(IOperation? operation)
    {
        while (operation is IConversionOperation or IParenthesizedOperation)
            operation = operation is IConversionOperation conversion ? conversion.Operand
                : ((IParenthesizedOperation)operation).Operand;
        return operation;
    }
}
