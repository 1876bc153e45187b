using System.Text.RegularExpressions;
using Cluster.Testing;

namespace Cluster.SystemTests.Packages;

/// <summary>Runs programs that were built from templates, as their READMEs say. Stateless.</summary>
internal static partial class TemplateProgram
{
    private static readonly TimeSpan StartBound = TimeSpan.FromMinutes(2);

    /// <summary>Starts a node, and waits until it serves.</summary>
    /// <param name="folder">The folder of the project.</param>
    /// <param name="store">The folder in which the nodes find each other.</param>
    /// <param name="arguments">Further arguments.</param>
    public static async Task<ChildProcess> StartNodeAsync(string folder, string store, params string[] arguments)
    {
        var node = Start(folder, [.. arguments, $"--Store:Folder={store}"]);
        await node.WaitForLineAsync(
            line => line.Contains("Application started.", StringComparison.Ordinal), StartBound);
        return node;
    }

    /// <summary>Starts the program of a project, which was built before.</summary>
    public static ChildProcess Start(string folder, params string[] arguments)
    {
        var program = $"bin/Release/net10.0/{Path.GetFileName(folder)}.dll";
        return ChildProcess.StartDotnet(program, arguments, start => start.WorkingDirectory = folder);
    }

    /// <summary>The address of the pages of a web node that has started.</summary>
    public static Uri PagesOf(ChildProcess node) => new(
        node.Lines.Select(line => Listening().Match(line)).First(match => match.Success).Groups[1].Value);

    /// <summary>Stops a node as an operator does.</summary>
    public static async Task StopAsync(ChildProcess node)
    {
        node.Send(ProcessSignal.Terminate);
        var code = await node.WaitForExitAsync(StartBound);
        Assert.True(code == 0, $"the node ended with {code}:{Environment.NewLine}{node.Output}");
    }

    [GeneratedRegex("Now listening on: (http://.+)$")]
    private static partial Regex Listening();
}
