using Cluster.Pile.Tests.Host;
using Cluster.Pile.Tests.Mapped;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Acceptance case 30 on real devices: a disk that is full, and files that the system allows to grow no
/// further. What the process checks stands in <see cref="FullDisk"/>.</summary>
[Trait("Case", "pile-30")]
public sealed class FullDiskTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [RequiresUnixFact]
    public async Task Save_BeyondTheLimitOnFiles_FailsAlone_AndTheOldSnapshotIsValid() =>
        CheckSave(await RunAsync(FullDisk.LimitedSave, isSmall: false), "larger than the system allows");

    [RequiresSmallDiskFact]
    public async Task Save_OntoAFullDisk_FailsAlone_AndTheOldSnapshotIsValid() =>
        CheckSave(await RunAsync(FullDisk.SmallSave, isSmall: true), "No space left");

    [RequiresUnixFact]
    public async Task MappedFolder_BeyondTheLimitOnFiles_RefusesTypesAndFolders_AndKeepsWhatItHas()
    {
        var lines = await RunAsync(FullDisk.LimitedMapped, isSmall: false);
        Assert.Contains("description of a type cannot be written", lines[0], StringComparison.Ordinal);
        Assert.Contains("cannot be attached", lines[1], StringComparison.Ordinal);
        Assert.Equal(3, lines.Count);
    }

    [RequiresSmallDiskFact]
    public async Task MappedFolder_OnAFullDisk_RefusesGrowthWithTheReason_AndKeepsWhatItHas()
    {
        var lines = await RunAsync(FullDisk.SmallMapped, isSmall: true);
        Assert.StartsWith("PileFullException: The disk is full", lines[1]);
        Assert.StartsWith("PileFullException: The disk is full", lines[2]);
        Assert.Contains("description of a type cannot be written", lines[3], StringComparison.Ordinal);
        Assert.Contains("was not marked as disposed", lines[4], StringComparison.Ordinal);
        Assert.Contains("cannot be attached. No space left", lines[5], StringComparison.Ordinal);
        Assert.Equal(7, lines.Count);
    }

    // Each attempt fails for itself, with the reason, and the writers went on.
    private static void CheckSave(IReadOnlyList<string> lines, string reason)
    {
        Assert.Equal(4, lines.Count);
        for (var attempt = 0; attempt < 2; attempt++)
        {
            Assert.StartsWith($"{nameof(PileSnapshotProblem.Device)}: ", lines[2 * attempt]);
            Assert.Contains(reason, lines[2 * attempt], StringComparison.Ordinal);
            Assert.Contains("The one before it is still valid", lines[2 * attempt], StringComparison.Ordinal);
            Assert.EndsWith(" changes meanwhile", lines[(2 * attempt) + 1]);
        }
    }

    private async Task<IReadOnlyList<string>> RunAsync(string mode, bool isSmall)
    {
        using var folder = new TestFolder();
        var dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        string[] arguments = ["exec", typeof(FullDisk).Assembly.Location, nameof(FullDisk), mode, folder.FullName];
        await using var process = isSmall
            ? ChildProcess.Start(
                "unshare", SmallDisk.UnshareArguments(folder.FullName, FullDisk.DiskBytes, dotnet, arguments))
            : ChildProcess.Start(dotnet, arguments);
        var exitCode = await process.WaitForExitAsync(Patience);
        output.WriteLine(process.Output);
        Assert.True(exitCode == 0, string.Create(CultureInfo.InvariantCulture, $"{exitCode}: {process.Output}"));
        return process.Lines;
    }
}
