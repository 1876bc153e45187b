using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Nodes.Storage.Tests.Files;

/// <summary>A node whose storage lies on a disk that is full. What the process checks stands in
/// <see cref="FullDiskChild"/>.</summary>
public sealed class FullDiskTests(ITestOutputHelper output)
{
    private const long DiskBytes = 1 << 20;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [RequiresSmallDiskFact]
    public async Task WriteThrough_OnAFullDisk_FailsWithTheRemedy_AndIsStoredOnceThereIsRoom()
    {
        var lines = await RunAsync(StorageWrites.Through);
        Assert.Equal(2, lines.Count);
        Assert.All(lines, line =>
        {
            Assert.Contains("the cluster has the value", line, StringComparison.Ordinal);
            Assert.Contains("is full", line, StringComparison.Ordinal);
            Assert.Contains("Make room on it", line, StringComparison.Ordinal);
        });
    }

    [RequiresSmallDiskFact]
    public async Task WriteBehind_OnAFullDisk_KeepsWhatItHasAcknowledged_AndStoresItOnceThereIsRoom()
    {
        // The log says once that the storage fails, and once that it works again.
        var lines = await RunAsync(StorageWrites.Behind);
        Assert.Equal(2, lines.Count);
        Assert.Contains("7003", lines[0], StringComparison.Ordinal);
        Assert.Contains("Make room on it", lines[0], StringComparison.Ordinal);
        Assert.Contains("7004", lines[1], StringComparison.Ordinal);
    }

    private async Task<IReadOnlyList<string>> RunAsync(StorageWrites writes)
    {
        using var folder = new TemporaryFolder();
        var dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        string[] arguments = ["exec", typeof(FullDiskChild).Assembly.Location, $"{writes}", folder.Path];
        await using var child = ChildProcess.Start(
            "unshare", SmallDisk.UnshareArguments(folder.Path, DiskBytes, dotnet, arguments));
        var exitCode = await child.WaitForExitAsync(Patience);
        output.WriteLine(child.Output);
        Assert.True(exitCode == 0, child.Output);
        return child.Lines;
    }
}
