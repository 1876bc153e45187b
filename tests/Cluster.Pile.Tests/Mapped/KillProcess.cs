using Cluster.Pile.Tests.Host;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Runs the program of the kill loops and ends it in the middle. Stateless.</summary>
internal static class KillProcess
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    /// <summary>Waits until the program says that it is at work, lets it live for a while, and kills it.</summary>
    /// <param name="arguments">What the program is told: how its pile outlives it, the folder and the seed.</param>
    /// <param name="ready">The line by which it says that it is at work.</param>
    /// <param name="life">For how long it works.</param>
    public static async Task RunAsync((string Kind, TestFolder Folder, int Seed) arguments, string ready, TimeSpan life)
    {
        await using var process = ChildProcess.StartDotnet(
            typeof(KillLoop).Assembly.Location,
            [
                nameof(KillLoop),
                arguments.Kind,
                arguments.Folder.FullName,
                arguments.Seed.ToString(CultureInfo.InvariantCulture),
            ]);
        await process.WaitForLineAsync(line => line == ready, Patience);
        await Task.Delay(life, TimeProvider.System);
        Assert.False(process.HasExited, process.Output);
        process.Kill();
        await process.WaitForExitAsync(Patience);
    }
}
