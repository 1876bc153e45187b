using Cluster.Testing;

namespace Samples.Tests;

/// <summary>Runs the samples as they were built, each in a process of its own.</summary>
internal static class SampleProcess
{
    /// <summary>How long a sample may take for one step on a busy machine.</summary>
    public static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private const string FolderVariable = "Samples__Folder";
    private const string ListeningText = "Now listening on: ";

    // The tests are in …/bin/Release/net10.0, and so are the samples.
    private static readonly string[] Output = AppContext.BaseDirectory.TrimEnd('/').Split('/')[^3..];

    /// <summary>Starts a sample.</summary>
    /// <param name="name">The project of the sample.</param>
    /// <param name="folder">Where its nodes find each other; null where they do not look in a folder.</param>
    /// <param name="arguments">The arguments.</param>
    /// <param name="environment">Further environment variables.</param>
    public static ChildProcess Start(
        string name, string? folder, string[] arguments, params (string Name, string Value)[] environment) =>
        ChildProcess.StartDotnet(
            Path.Combine([RepositoryFolder.Path, "nodes", "Samples", name, .. Output, $"{name}.dll"]),
            arguments,
            start =>
            {
                start.Environment[FolderVariable] = folder;
                foreach (var (variable, value) in environment)
                    start.Environment[variable] = value;
            });

    /// <summary>Runs a sample to its end. Returns what it printed.</summary>
    public static async Task<string> RunAsync(
        string name, string? folder, string[] arguments, params (string Name, string Value)[] environment)
    {
        await using var sample = Start(name, folder, arguments, environment);
        var code = await sample.WaitForExitAsync(Bound);
        Assert.True(code == 0, $"{sample.Command} ended with {code}.{Environment.NewLine}{sample.Output}");
        return sample.Output;
    }

    /// <summary>Waits until a web sample answers. Returns its address.</summary>
    public static async Task<Uri> WaitForAddressAsync(ChildProcess sample)
    {
        var line = await sample.WaitForLineAsync(
            static line => line.Contains(ListeningText, StringComparison.Ordinal), Bound);
        return new Uri(line[(line.IndexOf(ListeningText, StringComparison.Ordinal) + ListeningText.Length)..]);
    }
}
