namespace Cluster.NodeHost.Tests;

/// <summary>Runs the program with a command line and captures its output.</summary>
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
