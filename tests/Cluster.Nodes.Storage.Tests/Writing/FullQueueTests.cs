using Cluster.StateStore;
using Cluster.Testing;

namespace Cluster.Nodes.Storage.Tests.Writing;

/// <summary>Writes that find no room in the queue wait for it, up to a bound, and then name the option to
/// change.</summary>
public sealed class FullQueueTests
{
    private const int Room = 3;

    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(1);

    [Theory]
    [InlineData(StorageWrites.Through)]
    [InlineData(StorageWrites.Behind)]
    public async Task Write_WithoutRoomForTenSeconds_FailsAndNamesTheOption(StorageWrites writes)
    {
        await using var fixture = new WriterFixture(options => Configure(options, writes));
        var (gate, first, late) = await WriteOneTooManyAsync(fixture, writes);

        fixture.Time.Advance(Limit - Moment);
        Assert.False(late.IsCompleted);
        fixture.Time.Advance(Moment);

        var failure = await Assert.ThrowsAsync<StateStorageException>(() => late.WaitAsync(Bound));
        Assert.Contains($"{Room} keys (MaxWaitingKeys)", failure.Message, StringComparison.Ordinal);
        Assert.Contains("raise Parallelism or MaxWaitingKeys", failure.Message, StringComparison.Ordinal);
        Assert.Contains("the cluster has the value", failure.Message, StringComparison.Ordinal);
        Assert.True((await fixture.Memory.GetAsync("late"))!.IsDirty);
        Assert.Equal(Room, fixture.Writer.WaitingCount);

        // The value is nowhere but in memory, so the scan is told to look for it, once.
        Assert.True(fixture.Writer.TakeMissed());
        Assert.False(fixture.Writer.TakeMissed());
        gate.SetResult();
        await Eventually.TrueAsync(() => first.All(put => put.IsCompleted), Bound);
    }

    [Theory]
    [InlineData(StorageWrites.Through)]
    [InlineData(StorageWrites.Behind)]
    public async Task Write_ThatWaitsForRoom_GoesOnWhenThereIsSome(StorageWrites writes)
    {
        await using var fixture = new WriterFixture(options => Configure(options, writes));
        var (gate, first, late) = await WriteOneTooManyAsync(fixture, writes);
        fixture.Time.Advance(Limit / 2);
        Assert.False(late.IsCompleted);

        gate.SetResult();

        await Task.WhenAll([late, .. first]).WaitAsync(Bound);
        await Eventually.TrueAsync(() => fixture.Storage["late"]?.Value?.Balance == 9, Bound);
        Assert.False(fixture.Writer.TakeMissed());
    }

    [Fact]
    public async Task Write_OfAKeyThatWaits_NeedsNoRoom()
    {
        await using var fixture = new WriterFixture(options => Configure(options, StorageWrites.Behind));
        var gate = new TaskCompletionSource();
        fixture.Storage.BeforeStore = _ => gate.Task;
        await FillAsync(fixture, StorageWrites.Behind);
        await fixture.Accounts.PutAsync("0", new Account { Balance = 7 }).AsTask().WaitAsync(Bound);
        gate.SetResult();
        await Eventually.TrueAsync(() => fixture.Storage["0"]?.Value?.Balance == 7, Bound);
    }

    private static async Task<(TaskCompletionSource Gate, Task[] First, Task Late)> WriteOneTooManyAsync(
        WriterFixture fixture, StorageWrites writes)
    {
        var gate = new TaskCompletionSource();
        fixture.Storage.BeforeStore = _ => gate.Task;
        var first = await FillAsync(fixture, writes);
        return (gate, first, fixture.Accounts.PutAsync("late", new Account { Balance = 9 }).AsTask());
    }

    private static void Configure(StoredStateOptions<string, Account> options, StorageWrites writes)
    {
        (options.Writes, options.WriteDelay, options.MaxWaitingKeys) = (writes, TimeSpan.Zero, Room);
        options.StorageTimeout = TimeSpan.FromSeconds(25);
    }

    // Returns the writes that wait until the storage has their values.
    private static async Task<Task[]> FillAsync(WriterFixture fixture, StorageWrites writes)
    {
        Task[] puts =
        [
            .. Enumerable.Range(0, Room)
                .Select(index => fixture.Accounts.PutAsync($"{index}", new Account { Balance = index }).AsTask()),
        ];
        await Eventually.TrueAsync(() => fixture.Writer.WaitingCount == Room, Bound);
        if (writes == StorageWrites.Behind)
            await Task.WhenAll(puts);
        return puts;
    }
}
