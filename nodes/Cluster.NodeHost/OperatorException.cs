namespace Cluster.NodeHost;

/// <summary>The command cannot do what was asked. The message says what is wrong and what to do.</summary>
/// <param name="exitCode">What the program ends with.</param>
/// <param name="message">For the operator.</param>
internal sealed class OperatorException(int exitCode, string message) : Exception(message)
{
    /// <summary>What the program ends with.</summary>
    public int ExitCode { get; } = exitCode;
}
