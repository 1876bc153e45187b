namespace Cluster.NodeHost;

/// <summary>Whether the operator has said yes, and where the change is to be logged. Immutable.</summary>
/// <param name="IsGiven">Whether <c>--yes</c> was given.</param>
/// <param name="LogPath">The file of <c>--log</c>, or null.</param>
internal sealed record OperatorConsent(bool IsGiven, string? LogPath)
{
    /// <summary>Says what would be done, and ends the command where the operator has not said yes.</summary>
    /// <exception cref="OperatorException"><c>--yes</c> is missing.</exception>
    public async Task RequireAsync(OperatorConsole console, string what)
    {
        if (IsGiven)
            return;
        await console.Out.WriteLineAsync($"This would {what}.").ConfigureAwait(false);
        throw new OperatorException(OperatorExitCode.Usage, "Nothing was changed. Add --yes to do it.");
    }
}
