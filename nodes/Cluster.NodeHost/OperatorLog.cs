namespace Cluster.NodeHost;

/// <summary>One line per change that an operator makes: when, who, where, and what. It goes to standard error, and to a
/// file where the operator names one. Stateless.</summary>
internal sealed class OperatorLog(OperatorConsole console, TimeProvider time)
{
    /// <summary>Who works here, as the table and the log say it.</summary>
    public static string Operator => $"{Environment.UserName} on {Environment.MachineName}";

    /// <summary>Writes a line.</summary>
    /// <param name="path">The file to append to, or null.</param>
    /// <param name="what">What was done.</param>
    /// <exception cref="OperatorException">The file cannot be written; the change stands.</exception>
    public async Task WriteAsync(string? path, string what)
    {
        var line = string.Create(
            CultureInfo.InvariantCulture, $"{time.GetUtcNow():yyyy-MM-ddTHH:mm:ssZ} operator {Operator}: {what}");
        await console.Error.WriteLineAsync(line).ConfigureAwait(false);
        if (path is null)
            return;
        try
        {
            await File.AppendAllLinesAsync(path, [line]).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new OperatorException(
                OperatorExitCode.FileNotWritten,
                $"The change stands, but {path} cannot be written: {failure.Message} Name another file with --log.");
        }
    }
}
