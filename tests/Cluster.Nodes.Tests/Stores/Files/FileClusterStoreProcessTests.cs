using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Tests.Stores.Files;

/// <summary>The locks of the file store show whether real processes are killed or only paused.</summary>
[Collection(HandleTests.Name)]
public sealed class FileClusterStoreProcessTests : IAsyncLifetime, IDisposable
{
    private const string ClusterName = "shop";
    private const long DiskBytes = 1 << 20;
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(60);

    private readonly TemporaryFolder _folder = new();
    private readonly NodeId _victim = NodeId.NewIncarnation("victim");
    private FileClusterStore _store = null!;

    private static CancellationToken None => CancellationToken.None;

    public async Task InitializeAsync()
    {
        _store = new FileClusterStore(_folder.Path, ClusterName, TimeProvider.System);
        await _store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
    }

    public async Task DisposeAsync() => await _store.DisposeAsync();

    public void Dispose() => _folder.Dispose();

    [RequiresUnixFact]
    public async Task KilledProcess_WithAllLocks_IsProvenDeadAndFreesThem()
    {
        await using var child = await StartAsync("coordinate");
        var self = NodeId.NewIncarnation("self");
        await using var registration = await _store.RegisterAsync(self, "http://127.0.0.1:2", None);
        Assert.False(await _store.IsProvenDeadAsync(_victim, None));
        Assert.Null(await _store.TryAcquireCoordinatorAsync(self, None));

        child.Send(ProcessSignal.Kill);

        await Eventually.TrueAsync(() => _store.IsProvenDeadAsync(_victim, None), Bound);

        // The operating system releases the locks of a killed process one after the other.
        ICoordinatorLease? lease = null;
        await Eventually.TrueAsync(
            async () => (lease = await _store.TryAcquireCoordinatorAsync(self, None)) is not null, Bound);
        await using var held = lease;
        Assert.True(await _store.IsProvenDeadAsync(_victim, None));
    }

    [RequiresSmallDiskFact]
    [Trait("Case", "repair-A3")]
    public async Task FullDisk_WhileTheSecretIsWritten_IsNamed_AndLeavesNothingBehind()
    {
        var disk = Directory.CreateDirectory(Path.Combine(_folder.Path, "disk"));
        string[] arguments =
        [
            "exec", typeof(StoreChild).Assembly.Location, "secret-on-a-full-disk", disk.FullName, ClusterName,
            _victim.Name, _victim.Incarnation.ToString(),
        ];
        var dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        await using var child = ChildProcess.Start(
            "unshare", SmallDisk.UnshareArguments(disk.FullName, DiskBytes, dotnet, arguments));

        Assert.True(await child.WaitForExitAsync(Bound) == 0, child.Output);

        var refusal = child.Lines[0];
        Assert.Contains("the disk is full", refusal, StringComparison.Ordinal);
        Assert.Contains("Make room", refusal, StringComparison.Ordinal);
        Assert.Equal("0 files were left; then: a secret that has room", child.Lines[1]);
    }

    [RequiresUnixFact]
    public async Task PausedProcess_HoweverLong_IsNotProvenDead()
    {
        await using var child = await StartAsync("coordinate");
        child.Pause();

        for (var question = 0; question < 1_000; question++)
            Assert.False(await _store.IsProvenDeadAsync(_victim, None));

        child.Resume();
        Assert.False(await _store.IsProvenDeadAsync(_victim, None));
        child.Send(ProcessSignal.Kill);
        await Eventually.TrueAsync(() => _store.IsProvenDeadAsync(_victim, None), Bound);
    }

    [RequiresUnixFact]
    public async Task PausedProcess_InsideAChange_DelaysOthersToTheDeadlineAndNoLonger()
    {
        await using var child = await StartAsync("hold-table");
        child.Pause();
        var table = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));

        var failure = await Assert.ThrowsAsync<ClusterStoreException>(
            () => _store.CompareAndSwapAsync(table, null, None).AsTask().WaitAsync(Bound));
        Assert.Equal(ClusterStoreError.Unreachable, failure.Kind);
        Assert.Equal(1, (await _store.ReadTableAsync(TableConsistency.Consistent, None)).Version);

        child.Send(ProcessSignal.Kill);
        await Eventually.TrueAsync(
            async () => await _store.CompareAndSwapAsync(table, null, None) == SwapOutcome.Swapped, Bound);
    }

    [RequiresUnixFact]
    public async Task KilledProcess_AmidChanges_LeavesTheLastTableReadable()
    {
        for (var round = 0; round < 5; round++)
        {
            await using var child = StoreChild.Start("swap", _folder.Path, ClusterName, _victim);
            await child.WaitForLineAsync(line => Version(line) % 20 == round, Bound);
            child.Send(ProcessSignal.Kill);
            await child.WaitForExitAsync(Bound);

            var told = child.Lines.Max(Version);
            var table = await _store.ReadTableAsync(TableConsistency.Consistent, None);
            Assert.InRange(table.Version, told, told + 1);
            Assert.Equal(SwapOutcome.Swapped, await _store.CompareAndSwapAsync(StoreTables.Next(table), null, None));
        }
    }

    private async Task<ChildProcess> StartAsync(string role)
    {
        var child = StoreChild.Start(role, _folder.Path, ClusterName, _victim);
        await child.WaitForLineAsync(line => line == StoreChild.Ready, Bound);
        return child;
    }

    // The kill may have cut off the end of the last line.
    private static long Version(string line) =>
        long.TryParse(line, NumberStyles.None, CultureInfo.InvariantCulture, out var version) ? version : 0;
}
