using System.Runtime.Versioning;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Tests.Stores.Files;

/// <summary>Only one user may use the folder and the files of the file store.</summary>
[Trait("Case", "repair-A5")]
[UnsupportedOSPlatform("windows")]
public sealed class StoreFolderRuleTests : IDisposable
{
    private const int SharedFolder = 5033;
    private const UnixFileMode ForOwner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode FolderForOwner = ForOwner | UnixFileMode.UserExecute;
    private const UnixFileMode Readable =
        UnixFileMode.GroupRead | UnixFileMode.GroupExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;

    private readonly TemporaryFolder _folder = new();

    private string ClusterFolder => Path.Combine(_folder.Path, "shop");

    public void Dispose() => _folder.Dispose();

    [RequiresUnixFact]
    public async Task EverythingThatIsMade_IsForTheOwnerAlone()
    {
        await UseEverythingAsync();
        Assert.Equal(FolderForOwner, File.GetUnixFileMode(ClusterFolder));
        Assert.Equal(FolderForOwner, File.GetUnixFileMode(Path.Combine(ClusterFolder, "lives")));
        var files = Directory.GetFiles(ClusterFolder, "*", SearchOption.AllDirectories);
        Assert.True(files.Length >= 7, string.Join(", ", files));
        Assert.All(files, file => Assert.Equal((file, ForOwner), (file, File.GetUnixFileMode(file))));
    }

    [RequiresUnixFact]
    public async Task FolderOfAnEarlierVersion_IsClosedToReaders()
    {
        await UseEverythingAsync();
        foreach (var file in Directory.GetFiles(ClusterFolder))
            File.SetUnixFileMode(file, ForOwner | UnixFileMode.OtherRead);
        File.SetUnixFileMode(ClusterFolder, FolderForOwner | Readable);

        await using var store = new FileClusterStore(_folder.Path, "shop", TimeProvider.System);
        Assert.NotNull(await store.ReadMetaAsync(default));
        Assert.Equal(FolderForOwner, File.GetUnixFileMode(ClusterFolder));
        Assert.All(Directory.GetFiles(ClusterFolder), file => Assert.Equal(ForOwner, File.GetUnixFileMode(file)));
    }

    [RequiresUnixFact]
    public async Task FolderThatOthersMayWrite_IsRefusedAndNamesTheOption() => await CheckRefusedAsync(
        ClusterFolder, () => File.SetUnixFileMode(ClusterFolder, FolderForOwner | UnixFileMode.OtherWrite));

    [RequiresUnixFact]
    public async Task FileThatOthersMayWrite_IsRefusedAndNamesTheOption()
    {
        var table = Path.Combine(ClusterFolder, "table");
        await CheckRefusedAsync(table, () => File.SetUnixFileMode(table, ForOwner | UnixFileMode.GroupWrite));
    }

    [RequiresUnixFact]
    public async Task SharedFolder_Allowed_IsUsedWithOneWarning()
    {
        await UseEverythingAsync();
        var shared = FolderForOwner | Readable | UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;
        File.SetUnixFileMode(ClusterFolder, shared);
        using var logs = new LogRecorder().Allow(SharedFolder);
        await using var store = new FileClusterStore(_folder.Path, "shop", TimeProvider.System)
        {
            FolderRule = new StoreFolderRule(allowsShared: true, logs.CreateLogger<FileClusterStore>()),
        };
        Assert.NotNull(await store.ReadMetaAsync(default));
        Assert.NotNull(await store.ReadTableAsync(TableConsistency.Consistent, default));
        var warning = Assert.Single(logs.Entries, entry => entry.Event.Id == SharedFolder);
        Assert.Contains("AllowSharedFolder", warning.Message, StringComparison.Ordinal);
        Assert.Equal(shared, File.GetUnixFileMode(ClusterFolder));
    }

    private async Task CheckRefusedAsync(string path, Action open)
    {
        await UseEverythingAsync();
        open();
        await using var store = new FileClusterStore(_folder.Path, "shop", TimeProvider.System);
        var failure = await Assert.ThrowsAsync<ClusterStoreException>(() => store.ReadMetaAsync(default).AsTask());
        Assert.Equal(ClusterStoreError.Unusable, failure.Kind);
        Assert.StartsWith(path + ":", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Cluster:AllowSharedFolder", failure.Message, StringComparison.Ordinal);
        Assert.Throws<ClusterStoreException>(() => store.ReadSecret(() => throw new InvalidOperationException()));
    }

    private async Task UseEverythingAsync()
    {
        await using var store = new FileClusterStore(_folder.Path, "shop", TimeProvider.System) { WaitBudget = TestWaitBudget.Long };
        store.ReadSecret(() => "a secret that is long enough");
        await store.CreateAsync(StoreTables.NewMeta("shop"), default);
        var node = NodeId.NewIncarnation("a");
        await using var registration = await store.RegisterAsync(node, "http://127.0.0.1:1", default);
        await using var lease = await store.TryAcquireCoordinatorAsync(node, default);
        var table = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(table, lease, default));
    }
}
