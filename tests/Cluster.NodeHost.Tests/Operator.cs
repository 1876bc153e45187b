namespace Cluster.NodeHost.Tests;

/// <summary>Types a command line, and reads what the program prints.</summary>
internal static class Operator
{
    public static async Task<(int ExitCode, string Said)> RunAsync(params string[] arguments)
    {
        var output = new StringWriter();
        var command = new ClusterCommand(new OperatorConsole(output, output), TimeProvider.System);
        var code = await command.RunAsync(arguments);
        return (code, output.ToString());
    }
}
