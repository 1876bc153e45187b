namespace Shop.Drive;

/// <summary>The shop could not start for a reason that its user can remove. The message is printed as it is, without a
/// stack trace.</summary>
internal sealed class ShopStartException(int exitCode, string message) : Exception(message)
{
    /// <summary>The exit code for the process.</summary>
    public int ExitCode { get; } = exitCode;
}
