using Cluster.Nodes.Storage.Files;
using Cluster.Testing;

namespace Cluster.Nodes.Storage.Tests.Files;

/// <summary>A folder of values belongs to one state of one cluster.</summary>
public sealed class OwnerFileTests : IDisposable
{
    private static readonly CancellationToken None = CancellationToken.None;
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);
    private static readonly StorageOwner Owner = new("shop", "accounts");

    private readonly TemporaryFolder _temporary = new();

    private string Folder => Path.Combine(_temporary.Path, "accounts");

    private string Marker => Path.Combine(Folder, "owner");

    public void Dispose() => _temporary.Dispose();

    [Fact]
    public void Folder_OfAnotherClusterOrState_IsRefusedWithBothNamesAndTheRemedy()
    {
        Open(Owner).Dispose();
        foreach (var other in new[] { Owner with { Cluster = "depot" }, Owner with { State = "orders" } })
        {
            var refusal = Assert.Throws<ClusterStartException>(() => Open(other));
            Assert.Equal(ClusterExitCode.StoreIncompatible, refusal.ExitCode);
            string[] parts =
            [
                Folder, "state 'accounts' of cluster 'shop'", $"state '{other.State}' of cluster '{other.Cluster}'",
                "folder of its own", Marker,
            ];
            Assert.All(parts, part => Assert.Contains(part, refusal.Message, StringComparison.Ordinal));
        }

        Open(Owner).Dispose();
    }

    [Fact]
    public async Task Folder_OfAnEarlierVersion_IsTakenOverWithItsValues()
    {
        using (var first = Open(Owner))
            await first.StoreAsync("a", new StorageRecord<Account>(new Account { Balance = 3 }, 7), None);
        File.Delete(Marker);
        using (var second = Open(Owner))
            Assert.Equal(3, (await second.LoadAsync("a", None))!.Value!.Balance);
        Assert.Throws<ClusterStartException>(() => Open(Owner with { Cluster = "depot" }));
    }

    [Fact]
    public async Task Folder_ClaimedByTwoAtOnce_HasOneOwner()
    {
        const int RoundCount = 100;
        StorageOwner[] owners = [Owner, Owner with { Cluster = "depot" }];
        using var both = new Barrier(owners.Length);
        for (var round = 0; round < RoundCount; round++)
        {
            var folder = Directory.CreateDirectory(Path.Combine(_temporary.Path, $"{round}")).FullName;
            var claims = owners.Select(owner => Task.Factory.StartNew(
                () => TryClaim(folder, owner, both), TaskCreationOptions.LongRunning)).ToArray();
            Assert.Single(await Task.WhenAll(claims), static isOwner => isOwner);
            Assert.Equal(["lock", "owner"], Directory.EnumerateFiles(folder).Select(Path.GetFileName).Order());
        }
    }

    /// <summary>A process that is stopped while it writes the owner keeps the lock of the folder.</summary>
    [Fact]
    public async Task Folder_WhoseLockIsHeld_IsRefusedInTime()
    {
        Open(Owner).Dispose();
        File.Delete(Marker);
        using (FolderTurns.TryOpen(Folder))
        {
            var refusal = await Assert.ThrowsAsync<ClusterStartException>(
                () => Task.Run(() => Open(Owner)).WaitAsync(Bound));
            Assert.Equal(ClusterExitCode.StoreUnusable, refusal.ExitCode);
            Assert.Contains("another process has held the lock", refusal.Message, StringComparison.Ordinal);
        }

        Open(Owner).Dispose();
    }

    [Fact]
    public void Marker_ThatIsDamaged_IsRefusedWithItsPath()
    {
        Open(Owner).Dispose();
        var bytes = File.ReadAllBytes(Marker);
        bytes[^1] ^= 1;
        File.WriteAllBytes(Marker, bytes);
        var refusal = Assert.Throws<ClusterStartException>(() => Open(Owner));
        Assert.Equal(ClusterExitCode.StoreUnusable, refusal.ExitCode);
        Assert.Contains($"The file '{Marker}' is damaged", refusal.Message, StringComparison.Ordinal);
    }

    private static bool TryClaim(string folder, StorageOwner owner, Barrier both)
    {
        both.SignalAndWait();
        try
        {
            OwnerFile.Claim(folder, owner);
            return true;
        }
        catch (ClusterStartException)
        {
            return false;
        }
    }

    private FileStateStorage<string, Account> Open(StorageOwner owner) => FileStateStorage<string, Account>.Open(
        Folder, new StoredStateOptions<string, Account>().CreateFormat(), owner, TimeProvider.System);
}
