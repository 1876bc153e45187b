using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Tests.Stores.Files;

/// <summary>Behaviour of the file store alone: incarnations as locks, and files that are missing, damaged or of
/// another cluster.</summary>
[Collection(HandleTests.Name)]
public sealed class FileClusterStoreTests : IDisposable
{
    private const string ClusterName = "shop";
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly TemporaryFolder _folder = new();

    private static CancellationToken None => CancellationToken.None;

    private string TablePath => Path.Combine(_folder.Path, ClusterName, "table");

    private string MetaPath => Path.Combine(_folder.Path, ClusterName, "meta");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Life_Withdrawn_IsProvenDeadForEverybodyAsOftenAsTheyAsk()
    {
        await using var store = Open();
        var node = NodeId.NewIncarnation("a");
        var registration = await store.RegisterAsync(node, "http://127.0.0.1:1", None);

        Assert.False(await Open().IsProvenDeadAsync(node, None));
        await registration.DisposeAsync();
        for (var question = 0; question < 3; question++)
            Assert.True(await Open().IsProvenDeadAsync(node, None));
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => store.RegisterAsync(node, "http://127.0.0.1:1", None).AsTask());
        Assert.True(await Open().IsProvenDeadAsync(node, None));
    }

    [Fact]
    public async Task Life_RegisteredTwice_IsRefusedAndLivesOn()
    {
        await using var store = Open();
        var node = NodeId.NewIncarnation("a");
        await using var registration = await store.RegisterAsync(node, "http://127.0.0.1:1", None);

        await Assert.ThrowsAsync<InvalidOperationException>(
            () => Open().RegisterAsync(node, "http://127.0.0.1:1", None).AsTask());
        await registration.BeatAsync(None);
        Assert.False(await Open().IsProvenDeadAsync(node, None));
    }

    [Fact]
    public async Task Life_WithProversAtItsBirth_IsNeverTakenForDead()
    {
        using var stop = new CancellationTokenSource();
        var nodes = Enumerable.Range(0, 200).Select(_ => NodeId.NewIncarnation("a")).ToArray();
        var provers = Enumerable.Range(0, 3).Select(_ => Task.Run(ProveAsync)).ToArray();
        await using var store = new FileClusterStore(_folder.Path, ClusterName, TimeProvider.System) { WaitBudget = TestWaitBudget.Long };
        var registrations = new List<INodeRegistration>();
        foreach (var node in nodes)
            registrations.Add(await store.RegisterAsync(node, "http://127.0.0.1:1", None));

        await stop.CancelAsync();
        await Task.WhenAll(provers).WaitAsync(Bound);
        foreach (var registration in registrations)
            await registration.BeatAsync(None);
        foreach (var registration in registrations)
            await registration.DisposeAsync();
        foreach (var node in nodes)
            Assert.True(await store.IsProvenDeadAsync(node, None));

        async Task ProveAsync()
        {
            await using var prover = Open();
            while (!stop.IsCancellationRequested)
            {
                foreach (var node in nodes)
                    Assert.False(await prover.IsProvenDeadAsync(node, None));
            }
        }
    }

    [Fact]
    public async Task Life_StoreClosedAndRegistrationForgotten_GoesOn()
    {
        var node = NodeId.NewIncarnation("a");
        await RegisterAndForgetAsync(node);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();

        Assert.False(await Open().IsProvenDeadAsync(node, None));
    }

    [Fact]
    public async Task Life_FileRemovedByAnOperator_IsMadeAgainByTheNextBeat()
    {
        await using var store = Open();
        var node = NodeId.NewIncarnation("a");
        var registration = await store.RegisterAsync(node, "http://127.0.0.1:1", None);
        File.Delete(Directory.GetFiles(Path.Combine(_folder.Path, ClusterName, "lives"), "*.life").Single());

        Assert.False(await store.IsProvenDeadAsync(node, None));
        await registration.BeatAsync(None);
        Assert.False(await store.IsProvenDeadAsync(node, None));
        await registration.DisposeAsync();
        Assert.True(await store.IsProvenDeadAsync(node, None));
    }

    [Fact]
    public async Task Lives_EndedLongAgo_AreRemovedUnlessTheTableListsThem()
    {
        await using var store = await CreateAsync();
        var (listed, unlisted, living) = (NodeId.NewIncarnation("a"), NodeId.NewIncarnation("b"), NodeId.NewIncarnation("c"));
        await (await store.RegisterAsync(listed, "http://127.0.0.1:1", None)).DisposeAsync();
        await (await store.RegisterAsync(unlisted, "http://127.0.0.1:1", None)).DisposeAsync();
        await using var life = await store.RegisterAsync(living, "http://127.0.0.1:1", None);
        var table = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        table = table with { Members = [table.Members[0] with { Node = listed }] };
        await store.CompareAndSwapAsync(table, null, None);
        var later = new ManualTimeProvider(TimeProvider.System.GetUtcNow() + TimeSpan.FromDays(2));

        await using var laterStore = new FileClusterStore(_folder.Path, ClusterName, later);
        await using var newcomer = await laterStore.RegisterAsync(NodeId.NewIncarnation("d"), "http://127.0.0.1:1", None);

        Assert.True(await store.IsProvenDeadAsync(listed, None));
        Assert.False(await store.IsProvenDeadAsync(unlisted, None));
        await life.DisposeAsync();
        Assert.True(await store.IsProvenDeadAsync(living, None));
    }

    [Fact]
    public async Task Lease_HolderFileReplaced_IsLostForGood()
    {
        await using var store = await CreateAsync();
        var node = NodeId.NewIncarnation("a");
        await using var registration = await store.RegisterAsync(node, "http://127.0.0.1:1", None);
        var lease = await store.TryAcquireCoordinatorAsync(node, None);
        var holder = Path.Combine(_folder.Path, ClusterName, "coordinator");
        var contents = await File.ReadAllBytesAsync(holder);
        File.Delete(holder);

        Assert.False(await lease!.IsHeldAsync(None));
        await File.WriteAllBytesAsync(holder, contents);
        Assert.False(await lease.IsHeldAsync(None));
        await using var next = await store.TryAcquireCoordinatorAsync(node, None);
        Assert.NotNull(next);
    }

    [Fact]
    public async Task Table_AnyByteChanged_IsRefusedAndNeverOverwritten()
    {
        await using var store = await CreateAsync();
        var good = await File.ReadAllBytesAsync(TablePath);
        for (var offset = 0; offset < good.Length; offset++)
        {
            var bad = good.ToArray();
            bad[offset] ^= 0x40;
            await File.WriteAllBytesAsync(TablePath, bad);
            await CheckRefusedAsync(store);
        }

        await File.WriteAllBytesAsync(TablePath, good);
        Assert.Equal(1, (await store.ReadTableAsync(TableConsistency.Consistent, None)).Version);
    }

    [Fact]
    public async Task Table_CutAtAnyLength_IsRefused()
    {
        await using var store = await CreateAsync();
        var good = await File.ReadAllBytesAsync(TablePath);
        for (var length = 0; length < good.Length; length++)
        {
            await File.WriteAllBytesAsync(TablePath, good[..length]);
            await CheckRefusedAsync(store);
        }

        File.Delete(TablePath);
        await CheckRefusedAsync(store);
    }

    [Fact]
    public async Task Table_OfAnotherCluster_IsRefused()
    {
        await using var store = await CreateAsync();
        await using var other = new FileClusterStore(_folder.Path, "other", TimeProvider.System);
        await other.CreateAsync(StoreTables.NewMeta("other"), None);
        File.Copy(Path.Combine(_folder.Path, "other", "table"), TablePath, overwrite: true);
        await CheckRefusedAsync(store);

        File.Copy(Path.Combine(_folder.Path, "other", "meta"), MetaPath, overwrite: true);
        var failure = await Assert.ThrowsAsync<ClusterStoreException>(() => Open().ReadMetaAsync(None).AsTask());
        Assert.Equal(ClusterStoreError.Incompatible, failure.Kind);
        Assert.Contains("'other'", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Table_WithoutProperties_IsNotOverwrittenByANewCluster()
    {
        await using var store = await CreateAsync();
        await store.CompareAndSwapAsync(StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)), null, None);
        File.Delete(MetaPath);

        var failure = await Assert.ThrowsAsync<ClusterStoreException>(
            () => Open().CreateAsync(StoreTables.NewMeta(ClusterName), None).AsTask());
        Assert.Equal(ClusterStoreError.Incompatible, failure.Kind);
    }

    [Fact]
    public async Task Table_LeftoverOfAnInterruptedChange_IsIgnored()
    {
        await using var store = await CreateAsync();
        await File.WriteAllBytesAsync(TablePath + ".new", [1, 2, 3]);

        Assert.Equal(1, (await Open().ReadTableAsync(TableConsistency.Consistent, None)).Version);
        var next = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(next, null, None));
    }

    [Theory]
    [InlineData("a-file")]
    [InlineData("a-file/below")]
    public async Task Folder_ThatCannotBeOne_IsUnusableWithTheRemedy(string path)
    {
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "a-file"), "in the way");
        await using var store = new FileClusterStore(Path.Combine(_folder.Path, path), ClusterName, TimeProvider.System);

        var failure = await Assert.ThrowsAsync<ClusterStoreException>(() => store.ReadMetaAsync(None).AsTask());
        Assert.Equal(ClusterStoreError.Unusable, failure.Kind);
        Assert.Contains(path, failure.Message, StringComparison.Ordinal);
        Assert.Contains("Choose a folder", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("..")]
    [InlineData("a/b")]
    [InlineData("a b")]
    public void ClusterName_ThatIsHarmful_IsRefused(string name) =>
        Assert.Throws<ArgumentException>(() => new FileClusterStore(_folder.Path, name, TimeProvider.System));

    [Fact]
    public async Task Wait_WithoutReports_FindsTheChangeByPolling()
    {
        await using var store = await CreateAsync();
        var time = new ManualTimeProvider();
        await using var watcher = new FileClusterStore(_folder.Path, ClusterName, time);
        var waiting = watcher.WaitForChangeAsync(1, None).AsTask();
        await time.WaitForTimersAsync();

        time.Advance(FileStoreLimits.WatchWait);
        Assert.Equal(1, (await waiting.WaitAsync(Bound)).Version);
    }

    private FileClusterStore Open() => new(_folder.Path, ClusterName, TimeProvider.System);

    private async Task<FileClusterStore> CreateAsync()
    {
        var store = Open();
        await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
        return store;
    }

    private async Task RegisterAndForgetAsync(NodeId node)
    {
        await using var store = Open();
        await store.RegisterAsync(node, "http://127.0.0.1:1", None);
    }

    private async Task CheckRefusedAsync(FileClusterStore store)
    {
        var failure = await Assert.ThrowsAsync<ClusterStoreException>(
            () => store.ReadTableAsync(TableConsistency.Consistent, None).AsTask());
        Assert.Equal(ClusterStoreError.Incompatible, failure.Kind);
        Assert.Contains(TablePath, failure.Message, StringComparison.Ordinal);
        var next = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        await Assert.ThrowsAsync<ClusterStoreException>(() => store.CompareAndSwapAsync(next, null, None).AsTask());
    }
}
