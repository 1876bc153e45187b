using Cluster.Nodes.Storage.Values;
using Cluster.StateStore;
using Cluster.Testing;

namespace Cluster.Nodes.Storage.Tests.Writing;

/// <summary>A value with a time in memory is pinned there while the storage does not have it, and let go
/// after.</summary>
public sealed class PinningTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Delay = TimeSpan.FromSeconds(1);

    // The pause after a first failure is shorter.
    private static readonly TimeSpan RetryPause = TimeSpan.FromSeconds(1);

    private static readonly StateExpiry Pinned = StateExpiry.Never;
    private static readonly StateExpiry LetGo = StateExpiry.Default;

    [Fact]
    public async Task WriteBehind_IsPinnedOnce_AndLetGoWhenItIsStored()
    {
        await using var fixture = new WriterFixture(Behind);
        await fixture.Accounts.PutAsync("a", new Account { Balance = 1 });
        await fixture.Accounts.UpdateAsync("a", new Deposit(1));
        Assert.Equal([Pinned], fixture.Memory.Touches);
        await StoreAsync(fixture, Delay);
        Assert.Equal(2, fixture.Storage["a"]!.Value!.Balance);
        Assert.Equal([Pinned, LetGo], fixture.Memory.Touches);
    }

    [Fact]
    public async Task WriteBehind_DuringAStore_IsPinnedAfterIt()
    {
        await using var fixture = new WriterFixture(Behind);
        var gate = new TaskCompletionSource();
        var isAsked = new TaskCompletionSource();
        fixture.Storage.BeforeStore = _ =>
        {
            isAsked.TrySetResult();
            return gate.Task;
        };
        await fixture.Accounts.PutAsync("a", new Account { Balance = 1 });
        fixture.Time.Advance(Delay);
        await isAsked.Task.WaitAsync(Bound);
        await fixture.Accounts.PutAsync("a", new Account { Balance = 2 });
        gate.SetResult();

        // The store of the first value lets the record go. The second one must not go with it.
        await Eventually.TrueAsync(() => fixture.Memory.Touches.Count == 4, Bound);
        Assert.Equal([Pinned, Pinned, LetGo, Pinned], fixture.Memory.Touches);
        Assert.Equal(1, fixture.Writer.WaitingCount);
        await StoreAsync(fixture, Delay);
        Assert.Equal(2, fixture.Storage["a"]!.Value!.Balance);
        Assert.Equal(LetGo, fixture.Memory.Touches[^1]);
    }

    [Fact]
    public async Task WriteThrough_IsPinnedOnlyWhenItsStoreFails()
    {
        await using var fixture = new WriterFixture(Through);
        await fixture.Accounts.PutAsync("a", new Account { Balance = 1 }).AsTask().WaitAsync(Bound);
        Assert.Empty(fixture.Memory.Touches);

        fixture.Storage.Failure = new TimeoutException("not now");
        await Assert.ThrowsAsync<StateStorageException>(
            () => fixture.Accounts.PutAsync("a", new Account { Balance = 2 }).AsTask().WaitAsync(Bound));
        await Eventually.TrueAsync(() => fixture.Memory.Touches.Count == 1, Bound);
        Assert.Equal([Pinned], fixture.Memory.Touches);
        fixture.Storage.Failure = null;
        await StoreAsync(fixture, RetryPause);
        Assert.Equal(2, fixture.Storage["a"]!.Value!.Balance);
        Assert.Equal([Pinned, LetGo], fixture.Memory.Touches);
    }

    [Fact]
    public async Task Value_FoundByAScan_IsStoredAndLetGo()
    {
        await using var fixture = new WriterFixture(Through);
        await fixture.Memory.UpdateAsync("a", new PutValue<Account>(new Account { Balance = 4 }));
        Assert.Equal(1, await fixture.Writer.CountMissingAsync(new PartitionId(0), CancellationToken.None));
        await fixture.Writer.ScanAsync(new PartitionId(0), CancellationToken.None);
        await Eventually.TrueAsync(() => fixture.Writer.WaitingCount == 0, Bound);
        Assert.Equal(4, fixture.Storage["a"]!.Value!.Balance);
        Assert.Equal([LetGo], fixture.Memory.Touches);
        Assert.Equal(0, await fixture.Writer.CountMissingAsync(new PartitionId(0), CancellationToken.None));
    }

    [Fact]
    public async Task WriteBehind_ThatCannotBePinned_IsStoredNevertheless()
    {
        await using var fixture = new WriterFixture(Behind);
        fixture.Memory.TouchFailure = new TimeoutException("the key has no owner now");
        await fixture.Accounts.PutAsync("a", new Account { Balance = 1 }).AsTask().WaitAsync(Bound);
        fixture.Memory.TouchFailure = null;
        await StoreAsync(fixture, Delay);
        Assert.Equal(1, fixture.Storage["a"]!.Value!.Balance);
    }

    [Fact]
    public async Task WriteBehind_WithoutATimeInMemory_IsNotPinned()
    {
        await using var fixture = new WriterFixture(options =>
        {
            Behind(options);
            options.KeepInMemory = null;
        });
        await fixture.Accounts.PutAsync("a", new Account { Balance = 1 });
        await StoreAsync(fixture, Delay);
        Assert.Equal(1, fixture.Storage["a"]!.Value!.Balance);
        Assert.Empty(fixture.Memory.Touches);
    }

    private static void Behind(StoredStateOptions<string, Account> options)
    {
        (options.Writes, options.WriteDelay) = (StorageWrites.Behind, Delay);
        options.KeepInMemory = TimeSpan.FromHours(1);
    }

    private static void Through(StoredStateOptions<string, Account> options) =>
        options.KeepInMemory = TimeSpan.FromHours(1);

    private static async Task StoreAsync(WriterFixture fixture, TimeSpan pause)
    {
        await fixture.Time.WaitForTimersAsync();
        fixture.Time.Advance(pause);
        await Eventually.TrueAsync(() => fixture.Writer.WaitingCount == 0, Bound);
    }
}
