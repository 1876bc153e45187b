using Cluster.Testing.Stores;

namespace Cluster.Nodes.Storage.Tests.Storages;

/// <summary>What every storage behind a state does. One class inherits the suite for each storage.</summary>
public abstract class StateStorageConformanceTests : IAsyncLifetime
{
    private static readonly CancellationToken None = CancellationToken.None;

    private IStateStorage<string, StorageSample> Storage { get; set; } = null!;

    /// <summary>Opens the storage; empty at the first call of a test.</summary>
    protected abstract Task<IStateStorage<string, StorageSample>> OpenAsync();

    /// <summary>Closes what <see cref="OpenAsync"/> has opened.</summary>
    protected abstract Task CloseAsync(IStateStorage<string, StorageSample> storage);

    /// <summary>Ends the server, or deletes the folder.</summary>
    protected virtual Task EndAsync() => Task.CompletedTask;

    protected abstract bool IsAvailable { get; }

    public async Task InitializeAsync()
    {
        if (IsAvailable)
            Storage = await OpenAsync();
    }

    public async Task DisposeAsync()
    {
        if (Storage is not null)
            await CloseAsync(Storage);
        await EndAsync();
    }

    [ConformanceFact]
    public async Task Key_ThatWasNeverStored_IsUnknown() => Assert.Null(await Storage.LoadAsync("none", None));

    [ConformanceFact]
    public async Task Value_Stored_IsLoadedWithItsRevision()
    {
        Assert.Equal(7, await Storage.StoreAsync("a", Value(10, 7), None));
        var record = await Storage.LoadAsync("a", None);
        Assert.Equal((7, false, 10, "note 10"), (record!.Revision, record.IsRemoved, record.Value!.Number, record.Value.Text));
    }

    [ConformanceFact]
    public async Task Value_WithAGreaterRevision_ReplacesTheOther()
    {
        await Storage.StoreAsync("a", Value(10, 7), None);
        Assert.Equal(8, await Storage.StoreAsync("a", Value(11, 8), None));
        Assert.Equal(11, (await Storage.LoadAsync("a", None))!.Value!.Number);
    }

    [ConformanceFact]
    public async Task Value_WithALowerRevision_ChangesNothing_AndTheAnswerTellsTheGreater()
    {
        await Storage.StoreAsync("a", Value(10, 7), None);
        Assert.Equal(7, await Storage.StoreAsync("a", Value(9, 6), None));
        Assert.Equal(7, await Storage.StoreAsync("a", StorageRecord.Removed<StorageSample>(5), None));
        Assert.Equal(10, (await Storage.LoadAsync("a", None))!.Value!.Number);
    }

    [ConformanceFact]
    public async Task Value_StoredTwice_IsThereOnce()
    {
        await Storage.StoreAsync("a", Value(10, 7), None);
        Assert.Equal(7, await Storage.StoreAsync("a", Value(10, 7), None));
        Assert.Equal(7, (await Storage.LoadAsync("a", None))!.Revision);
    }

    [ConformanceFact]
    public async Task Removal_KeepsItsRevision_SoThatAnOlderValueDoesNotComeBack()
    {
        await Storage.StoreAsync("a", Value(10, 7), None);
        Assert.Equal(8, await Storage.StoreAsync("a", StorageRecord.Removed<StorageSample>(8), None));
        Assert.Equal((8, true), Describe(await Storage.LoadAsync("a", None)));
        Assert.Equal(8, await Storage.StoreAsync("a", Value(10, 7), None));
        Assert.Equal((8, true), Describe(await Storage.LoadAsync("a", None)));
        Assert.Equal(9, await Storage.StoreAsync("a", Value(12, 9), None));
        Assert.Equal((9, false), Describe(await Storage.LoadAsync("a", None)));
    }

    [ConformanceFact]
    public async Task Revisions_AsLargeAsClocksMakeThem_AreCompared()
    {
        var ticks = new DateTime(2200, 1, 1, 0, 0, 0, DateTimeKind.Utc).Ticks;
        await Storage.StoreAsync("a", Value(1, ticks), None);
        Assert.Equal(ticks, await Storage.StoreAsync("a", Value(2, ticks - 1), None));
        Assert.Equal(ticks + 1, await Storage.StoreAsync("a", Value(3, ticks + 1), None));
        Assert.Equal((ticks + 1, false), Describe(await Storage.LoadAsync("a", None)));
        Assert.Equal(long.MaxValue, await Storage.StoreAsync("a", Value(4, long.MaxValue), None));
        Assert.Equal(4, (await Storage.LoadAsync("a", None))!.Value!.Number);
    }

    [ConformanceFact]
    public async Task Keys_OfAllForms_AreKeptApart()
    {
        string[] keys = ["", "/", "..", "a:b", "a b", "ä", new string('k', 1_000), "\0", "A", "a", "*", "{a}"];
        for (var index = 0; index < keys.Length; index++)
            await Storage.StoreAsync(keys[index], Value(index, index + 1), None);
        for (var index = 0; index < keys.Length; index++)
            Assert.Equal(index, (await Storage.LoadAsync(keys[index], None))!.Value!.Number);
    }

    [ConformanceFact]
    public async Task Values_OfAllSizes_ComeBack()
    {
        foreach (var length in new[] { 0, 1, 1_000, 100_000, 1_000_000 })
        {
            var note = new string('n', length);
            await Storage.StoreAsync($"{length}", new StorageRecord<StorageSample>(new StorageSample { Text = note }, 1), None);
            Assert.Equal(note, (await Storage.LoadAsync($"{length}", None))!.Value!.Text);
        }
    }

    [ConformanceFact]
    public async Task Storage_OpenedAgain_HasEverything()
    {
        await Storage.StoreAsync("a", Value(10, 7), None);
        await Storage.StoreAsync("b", StorageRecord.Removed<StorageSample>(8), None);
        await CloseAsync(Storage);
        Storage = await OpenAsync();
        Assert.Equal(10, (await Storage.LoadAsync("a", None))!.Value!.Number);
        Assert.Equal((8, true), Describe(await Storage.LoadAsync("b", None)));
    }

    [ConformanceFact]
    public async Task Writers_OfOneKey_LeaveTheGreatestRevision()
    {
        const int WriterCount = 8;
        const int WriteCount = 25;
        var seed = Random.Shared.Next();
        Assert.All(await Task.WhenAll(Enumerable.Range(0, WriterCount).Select(WriteAsync)), Assert.True);
        var last = await Storage.LoadAsync("a", None);
        Assert.True(last!.Revision == WriterCount * WriteCount, $"seed {seed}: revision {last.Revision}");
        Assert.Equal(last.Revision, last.Value!.Number);

        // Each writer has revisions of its own, in any order. A store never answers a revision below its own.
        async Task<bool> WriteAsync(int writer)
        {
            int[] revisions = [.. Enumerable.Range(0, WriteCount).Select(index => (index * WriterCount) + writer + 1)];
            new Random(seed + writer).Shuffle(revisions);
            var isFenced = true;
            foreach (var revision in revisions)
                isFenced &= await Storage.StoreAsync("a", Value(revision, revision), None) >= revision;
            return isFenced;
        }
    }

    private static StorageRecord<StorageSample> Value(int balance, long revision) =>
        new(new StorageSample { Number = balance, Text = $"note {balance}" }, revision);

    private static (long Revision, bool IsRemoved) Describe(StorageRecord<StorageSample>? record) =>
        (record!.Revision, record.IsRemoved);
}
