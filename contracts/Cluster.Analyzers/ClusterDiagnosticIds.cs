namespace Cluster.Analyzers;

/// <summary>The ids of the diagnostics, for <c>.editorconfig</c> and suppressions. An id never changes its
/// meaning.</summary>
public static class ClusterDiagnosticIds
{
    /// <summary>A member of a contract cannot be called remotely.</summary>
    public const string ContractMember = "CLU0001";

    /// <summary>A value in a contract, a state or an operation cannot travel.</summary>
    public const string Travel = "CLU0002";

    /// <summary>An asynchronous method of a contract takes no cancellation token.</summary>
    public const string CancellationToken = "CLU0003";

    /// <summary>A thread blocks until a remote call has ended.</summary>
    public const string BlockingWait = "CLU0004";

    /// <summary>A state operation holds a service of the process that makes it.</summary>
    public const string OperationService = "CLU0005";

    /// <summary>A state operation reads a clock or takes random numbers, past its context.</summary>
    public const string OperationSource = "CLU0006";

    /// <summary>A span is used after its memory was given back.</summary>
    public const string SpanLifetime = "CLU0007";
}
