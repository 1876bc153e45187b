using System.ComponentModel;
using Cluster.Nodes.AspNetCore.Hybrid;
using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.StateStore;
using Cluster.StateStore.Hosting;
using Cluster.Testing;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Hybrid;

/// <summary>Readers of one process share values that none of them can change, until they are told of a
/// change.</summary>
public sealed class SharedValueTests(HybridNode node) : IClassFixture<HybridNode>
{
    [Fact]
    public async Task Text_ReadTwice_IsOneObject()
    {
        var key = NewKey();
        await node.Cache.SetAsync(key, NewText());
        await EventuallySharedAsync(key);
    }

    [Fact]
    public async Task Text_ChangedHere_IsReadNewAtOnce()
    {
        var key = NewKey();
        for (var round = 0; round < 20; round++)
        {
            await node.Cache.SetAsync(key, $"{round}", tags: ["tag"]);
            Assert.Equal($"{round}", await ReadAsync<string>(key));
            Assert.Equal($"{round}", await ReadAsync<string>(key));
        }

        await EventuallySharedAsync(key);
        await node.Cache.RemoveByTagAsync("tag");
        Assert.Null(await ReadAsync<string>(key));
        await node.Cache.SetAsync(key, "again", tags: ["tag"]);
        await EventuallySharedAsync(key);
        await node.Cache.RemoveAsync(key);
        Assert.Null(await ReadAsync<string>(key));
    }

    [Fact]
    public async Task Text_OfThisProcessAlone_GoesBeforeASharedOne()
    {
        var key = NewKey();
        await node.Cache.SetAsync(key, "shared");
        await EventuallySharedAsync(key);
        await node.Cache.SetAsync(
            key, "alone", new HybridCacheEntryOptions { Flags = HybridCacheEntryFlags.DisableDistributedCache });
        Assert.Equal("alone", await ReadAsync<string>(key));
    }

    [Fact]
    public async Task Text_WhoseTimeIsOver_IsNotReadForLongerThanTwoSeconds()
    {
        var (key, life) = (NewKey(), TimeSpan.FromSeconds(1));
        var stored = Stopwatch.StartNew();
        await node.Cache.SetAsync(key, NewText(), new HybridCacheEntryOptions { Expiration = life });
        await Eventually.TrueAsync(
            async () =>
            {
                var isLate = stored.Elapsed > life + TimeSpan.FromSeconds(2);
                var isGone = await ReadAsync<string>(key) is null;
                Assert.True(isGone || !isLate, $"It is read {stored.Elapsed} after it was stored.");
                return isGone;
            },
            WebCluster.WaitBudget);
        Assert.True(stored.Elapsed >= life);
    }

    [Theory]
    [InlineData(HybridCacheEntryFlags.DisableLocalCacheRead)]
    [InlineData(HybridCacheEntryFlags.DisableDistributedCacheRead)]
    public async Task Text_WithADisabledRead_IsNotTheSharedOne(HybridCacheEntryFlags disabled)
    {
        var key = NewKey();
        await node.Cache.SetAsync(key, NewText());
        var shared = await EventuallySharedAsync(key);
        Assert.NotSame(shared, await ReadAsync<string>(key, disabled));
    }

    [Fact]
    public async Task Text_AskedForAsAnotherType_IsMadeAnew()
    {
        var key = NewKey();
        await node.Cache.SetAsync(key, NewText());
        await EventuallySharedAsync(key);
        Assert.Equal(7, await node.Cache.GetOrCreateAsync(key, static _ => ValueTask.FromResult(7)));
    }

    [Fact]
    public async Task Entries_LargerTogetherThanTheLimit_TakeNoMoreThanIt()
    {
        const int Length = 50_000;
        var options = new ClusterHybridCacheOptions { NearCacheBytes = 4 << 20 };
        var shared = new SharedEntries(options, new EntrySerializer(options));
        var state = (IMarkedState<string>)node.Services
            .GetRequiredKeyedService<IPartitionedState<string, HybridEntry>>(HybridEntry.StateName);
        var marks = new NearMark[1];
        await Eventually.TrueAsync(
            () =>
            {
                marks[0] = state.Mark("any");
                return NearMark.AreValid(marks, TimeSpan.MaxValue);
            },
            WebCluster.WaitBudget);
        for (var number = 0; number < 100; number++)
        {
            var entry = HybridEntry.Create(new string('x', Length), [], [1]);
            shared.Keep($"{number}", entry, marks, TimeSpan.MaxValue);
            var count = Enumerable.Range(0, 100).Count(other => shared.Find($"{other}") is not null);
            Assert.InRange(count * Length * sizeof(char), 0, options.NearCacheBytes);
        }

        shared.Keep("short", HybridEntry.Create("x", [], [1]), marks, TimeSpan.MaxValue);
        Assert.NotNull(shared.Find("short"));
    }

    [Fact]
    public void Shareable_AreValuesThatNobodyCanChange()
    {
        object?[] shared = [null, "text", 1, 1.5m, Guid.Empty, DayOfWeek.Monday, default(DateTime), new Sealed()];
        object[] copied = [new Article(), new byte[1], default(ArraySegment<byte>), new List<int>(), (1, new int[1])];
        Assert.All(shared, value => Assert.True(SharedValue.IsShareable(value)));
        Assert.All(copied, value => Assert.False(SharedValue.IsShareable(value)));
    }

    private static string NewKey() => $"shared-{Guid.NewGuid():N}";

    private static string NewText() => Guid.NewGuid().ToString("N");

    // The process keeps nothing before it is told of all changes.
    private async Task<string> EventuallySharedAsync(string key)
    {
        string? found = null;
        await Eventually.TrueAsync(
            async () => (found = await ReadAsync<string>(key)) is not null
                && ReferenceEquals(found, await ReadAsync<string>(key)),
            WebCluster.WaitBudget);
        return found!;
    }

    private async Task<T?> ReadAsync<T>(string key, HybridCacheEntryFlags disabled = HybridCacheEntryFlags.None) =>
        await node.Cache.GetOrCreateAsync<T?>(
            key,
            static _ => throw new InvalidOperationException("The factory is disabled."),
            new HybridCacheEntryOptions { Flags = HybridCacheEntryFlags.DisableUnderlyingData | disabled });

    /// <summary>Its author says that it never changes.</summary>
    [ImmutableObject(true)]
    public sealed class Sealed;
}
