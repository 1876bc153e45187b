using System.Runtime.Versioning;
using Cluster.Nodes.Storage.Files;
using Cluster.Testing;

namespace Cluster.Nodes.Storage.Tests.Files;

/// <summary>What is special about files: damage, strangers, rights, crashes between two steps.</summary>
public sealed class FileStateStorageTests : IDisposable
{
    private static readonly CancellationToken None = CancellationToken.None;

    private readonly TemporaryFolder _temporary = new();

    private string Folder => Path.Combine(_temporary.Path, "accounts");

    public void Dispose() => _temporary.Dispose();

    [Fact]
    public async Task File_ThatIsTorn_IsRefusedWithItsPath()
    {
        using var storage = Open();
        await storage.StoreAsync("a", Value(1, 7), None);
        var path = FileOf("*.value");
        var bytes = await File.ReadAllBytesAsync(path);
        foreach (var length in new[] { 0, 5, 31, bytes.Length - 1 })
        {
            await File.WriteAllBytesAsync(path, bytes[..length]);
            var refusal = await Assert.ThrowsAsync<InvalidDataException>(async () => await storage.LoadAsync("a", None));
            Assert.Contains(path, refusal.Message, StringComparison.Ordinal);
            await Assert.ThrowsAsync<InvalidDataException>(async () => await storage.StoreAsync("a", Value(2, 8), None));
        }
    }

    [Fact]
    public async Task File_WithAnyBitChanged_IsRefused()
    {
        using var storage = Open();
        await storage.StoreAsync("a", Value(1, 7), None);
        var path = FileOf("*.value");
        var bytes = await File.ReadAllBytesAsync(path);
        for (var index = 0; index < bytes.Length; index++)
        {
            byte[] changed = [.. bytes];
            changed[index] ^= 1;
            await File.WriteAllBytesAsync(path, changed);
            await Assert.ThrowsAsync<InvalidDataException>(async () => await storage.LoadAsync("a", None));
        }
    }

    [Fact]
    public async Task File_OfAnotherKey_IsRefused()
    {
        using var storage = Open();
        await storage.StoreAsync("a", Value(1, 7), None);
        var foreign = FileOf("*.value");
        await storage.StoreAsync("b", Value(2, 7), None);
        var own = Directory.EnumerateFiles(Folder, "*.value", SearchOption.AllDirectories).Single(path => path != foreign);
        File.Copy(foreign, own, overwrite: true);
        var refusal = await Assert.ThrowsAsync<InvalidDataException>(async () => await storage.LoadAsync("b", None));
        Assert.Contains("another key", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Draft_OfAProcessThatDied_HarmsNobody()
    {
        using var storage = Open();
        await storage.StoreAsync("a", Value(1, 7), None);
        await File.WriteAllTextAsync(Path.ChangeExtension(FileOf("*.value"), ".draft"), "torn");
        Assert.Equal(1, (await storage.LoadAsync("a", None))!.Value!.Balance);
        Assert.Equal(8, await storage.StoreAsync("a", Value(2, 8), None));
        Assert.Equal(2, (await storage.LoadAsync("a", None))!.Value!.Balance);
    }

    [Fact]
    public async Task Removal_BesideItsValue_CountsAsTheNewer()
    {
        using var storage = Open();
        await storage.StoreAsync("a", Value(1, 7), None);
        var path = FileOf("*.value");
        var value = await File.ReadAllBytesAsync(path);
        await storage.StoreAsync("a", StorageRecord.Removed<Account>(8), None);
        await File.WriteAllBytesAsync(path, value);
        Assert.True((await storage.LoadAsync("a", None))!.IsRemoved);
        Assert.Equal(8, await storage.StoreAsync("a", Value(1, 7), None));
    }

    [Fact]
    public async Task Removals_OlderThanADay_GoWhenTheFolderIsOpened()
    {
        using (var storage = Open())
        {
            await storage.StoreAsync("old", StorageRecord.Removed<Account>(8), None);
            File.SetLastWriteTimeUtc(FileOf("*.removed"), TimeProvider.System.GetUtcNow().UtcDateTime.AddHours(-25));
            await storage.StoreAsync("new", StorageRecord.Removed<Account>(8), None);
        }

        using var again = Open();
        Assert.Null(await again.LoadAsync("old", None));
        Assert.True((await again.LoadAsync("new", None))!.IsRemoved);
    }

    [Fact]
    public async Task Removal_OlderThanADay_TakesTheValueAlongThatACrashLeft()
    {
        using (var storage = Open())
        {
            await storage.StoreAsync("a", Value(1, 7), None);
            var path = FileOf("*.value");
            var value = await File.ReadAllBytesAsync(path);
            await storage.StoreAsync("a", StorageRecord.Removed<Account>(8), None);
            await File.WriteAllBytesAsync(path, value);
            File.SetLastWriteTimeUtc(FileOf("*.removed"), TimeProvider.System.GetUtcNow().UtcDateTime.AddHours(-25));
        }

        using var again = Open();
        Assert.Null(await again.LoadAsync("a", None));
    }

    [Fact]
    public async Task Removal_OlderThanADay_LeavesTheNewerValueThatACrashLeftBesideIt()
    {
        using (var storage = Open())
        {
            await storage.StoreAsync("a", StorageRecord.Removed<Account>(8), None);
            var path = FileOf("*.removed");
            var removal = await File.ReadAllBytesAsync(path);
            await storage.StoreAsync("a", Value(1, 9), None);
            await File.WriteAllBytesAsync(path, removal);
            File.SetLastWriteTimeUtc(path, TimeProvider.System.GetUtcNow().UtcDateTime.AddHours(-25));
        }

        using var again = Open();
        Assert.Equal(1, (await again.LoadAsync("a", None))!.Value!.Balance);
        Assert.Empty(Directory.EnumerateFiles(Folder, "*.removed", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task Storages_OfTwoProcesses_TakeTurns()
    {
        using var first = Open();
        using var second = Open();
        await Task.WhenAll(Enumerable.Range(1, 100).Select(
            revision => (revision % 2 == 0 ? first : second).StoreAsync("a", Value(revision, revision), None).AsTask()));
        Assert.Equal(100, (await first.LoadAsync("a", None))!.Revision);
    }

    [Fact]
    public async Task Turn_ThatAnotherProcessKeeps_EndsWithTheToken()
    {
        using var storage = Open();
        await storage.StoreAsync("a", Value(1, 7), None);
        var path = Path.Combine(Path.GetDirectoryName(FileOf("*.value"))!, "lock");
        using var held = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
        using var enough = new CancellationTokenSource(TimeSpan.FromMilliseconds(100), TimeProvider.System);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await storage.StoreAsync("a", Value(2, 8), enough.Token));
        Assert.Equal(1, (await storage.LoadAsync("a", None))!.Value!.Balance);
    }

    [RequiresUnixFact]
    [UnsupportedOSPlatform("windows")]
    public void Folder_ThatOthersCanWriteTo_IsRefusedWithTheRemedy()
    {
        Directory.CreateDirectory(Folder);
        File.SetUnixFileMode(Folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
            | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute);
        var refusal = Assert.Throws<ClusterStartException>(Open);
        Assert.Equal(ClusterExitCode.StoreUnusable, refusal.ExitCode);
        Assert.Contains(Folder, refusal.Message, StringComparison.Ordinal);
        Assert.Contains("0700", refusal.Message, StringComparison.Ordinal);
    }

    private FileStateStorage<string, Account> Open() => FileStateStorage<string, Account>.Open(
        Folder,
        new StoredStateOptions<string, Account>().CreateFormat(),
        new StorageOwner("shop", "accounts"),
        TimeProvider.System);

    private string FileOf(string pattern) =>
        Directory.EnumerateFiles(Folder, pattern, SearchOption.AllDirectories).First();

    private static StorageRecord<Account> Value(int balance, long revision) =>
        new(new Account { Balance = balance }, revision);
}
