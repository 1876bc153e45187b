using Cluster.Testing;

namespace Cluster.SystemTests.Packages;

/// <summary>Runs commands of the .NET SDK so that no build server stays behind. Stateless.</summary>
internal static class DotnetCommand
{
    // Enough to build one library on a busy machine with two processors.
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(5);

    /// <summary>The configuration in which this test was built.</summary>
    public static string Configuration { get; } =
        new DirectoryInfo(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar)).Parent!.Name;

    /// <summary>Runs a command to its end. Fails with its output if the exit code is not 0.</summary>
    public static Task<string> RunAsync(string folder, params string[] arguments) =>
        RunProgramAsync("dotnet", folder, [.. arguments, "-nodeReuse:false", "-p:UseSharedCompilation=false"]);

    /// <summary>Runs a program to its end. Fails with its output if the exit code is not 0.</summary>
    public static async Task<string> RunProgramAsync(string program, string folder, params string[] arguments)
    {
        await using var command = ChildProcess.Start(program, arguments, start => start.WorkingDirectory = folder);
        var code = await command.WaitForExitAsync(Bound);
        Assert.True(code == 0, $"{command.Command} ended with {code}:{Environment.NewLine}{command.Output}");
        return command.Output;
    }
}
