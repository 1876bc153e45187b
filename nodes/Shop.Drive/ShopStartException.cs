namespace Shop.Drive;

/// <summary>The shop could not start for a reason that its user can remove. The program prints the message without a
/// stack trace.</summary>
internal sealed class ShopStartException(int exitCode, string message) : Exception(message)
{
    public int ExitCode { get; } = exitCode;
}
