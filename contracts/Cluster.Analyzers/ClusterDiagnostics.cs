using Cluster.Contracts.Help;
using Microsoft.CodeAnalysis;

namespace Cluster.Analyzers;

/// <summary>The descriptors of all diagnostics. Immutable.</summary>
internal static class ClusterDiagnostics
{
    private const string Page = "docs/analyzers.md";

    public static readonly DiagnosticDescriptor ContractMember = new(
        ClusterDiagnosticIds.ContractMember,
        "A member of a contract cannot be called remotely",
        "Contract {0} cannot be called remotely: it {1}",
        "Contracts",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "Glue refuses the contract when the service is registered or the proxy is made.",
        LinkTo(ClusterDiagnosticIds.ContractMember));

    public static readonly DiagnosticDescriptor Travel = new(
        ClusterDiagnosticIds.Travel,
        "A value cannot travel",
        "{0}: {1} cannot be carried: {2}",
        "Travel",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "Slim refuses every value of the type but null and the default value.",
        LinkTo(ClusterDiagnosticIds.Travel));

    public static readonly DiagnosticDescriptor CancellationToken = new(
        ClusterDiagnosticIds.CancellationToken,
        "An asynchronous method of a contract takes no CancellationToken",
        "{0} takes no CancellationToken, so a caller cannot cancel it before its deadline",
        "Contracts",
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        "The token itself does not travel. When the caller cancels it, Glue cancels the token of the method.",
        LinkTo(ClusterDiagnosticIds.CancellationToken));

    public static readonly DiagnosticDescriptor BlockingWait = new(
        ClusterDiagnosticIds.BlockingWait,
        "A thread blocks until a remote call has ended",
        "{0} may call another process, and {1} blocks the thread until the answer is there; await it",
        "Waits",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "Blocked threads of the pool delay all other work of the process.",
        LinkTo(ClusterDiagnosticIds.BlockingWait));

    public static readonly DiagnosticDescriptor OperationService = new(
        ClusterDiagnosticIds.OperationService,
        "A state operation holds a service",
        "{0} holds {1} of type {2}, which is a service of this process; an operation runs on the owner of the key and "
            + "works on the value alone",
        "Operations",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "Take from the service what the operation needs before it is made, and give that to it.",
        LinkTo(ClusterDiagnosticIds.OperationService));

    public static readonly DiagnosticDescriptor OperationSource = new(
        ClusterDiagnosticIds.OperationSource,
        "A state operation reads a clock or takes random numbers",
        "{0}.Apply uses {1}; use {2}",
        "Operations",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "The context has the partition's time, which never goes back, and a seed for each run.",
        LinkTo(ClusterDiagnosticIds.OperationSource));

    public static readonly DiagnosticDescriptor SpanLifetime = new(
        ClusterDiagnosticIds.SpanLifetime,
        "A span is used after its memory was given back",
        "The span of {0} is used after {1}; its memory may belong to somebody else by then",
        "Buffers",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "A span is checked once, when it is made. End its owner after the last use of the span.",
        LinkTo(ClusterDiagnosticIds.SpanLifetime));

    private static string LinkTo(string id) => HelpPage.LinkTo(Page, id);
}
