#pragma warning disable RS0030 // The one place of this program that touches the console; everybody else is given this.
namespace Cluster.NodeHost;

/// <summary>Where the program prints: results to standard output, failures and log entries to standard error.
/// Immutable.</summary>
/// <param name="output">Where results go; by default standard output.</param>
/// <param name="error">Where failures and log entries go; by default standard error.</param>
internal sealed class OperatorConsole(TextWriter? output = null, TextWriter? error = null)
{
    /// <summary>Where results go.</summary>
    public TextWriter Out { get; } = output ?? Console.Out;

    /// <summary>Where failures and log entries go.</summary>
    public TextWriter Error { get; } = error ?? Console.Error;
}
