using Cluster.Nodes.AspNetCore.Hybrid;
using Cluster.Nodes.AspNetCore.Refusals;
using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.Nodes.AspNetCore.Tests.Refusals;
using Cluster.StateStore;
using Cluster.Testing;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Hybrid;

/// <summary>The hybrid cache of the cluster passes the tests of the stock one.</summary>
public sealed class ClusterHybridCacheTests(HybridNode node) : HybridConformanceTests, IClassFixture<HybridNode>
{
    protected override HybridCache Cache => node.Cache;

    [Fact]
    public async Task Value_OfDerivedType_KeepsItsType()
    {
        var key = NewKey();
        await Cache.SetAsync<Article>(key, new Book { Name = "Emma", Author = "Austen" });
        var read = await Cache.GetOrCreateAsync<Article>(key, _ => throw new InvalidOperationException("a miss"));
        Assert.Equal("Austen", Assert.IsType<Book>(read).Author);
    }

    [Fact]
    public async Task Value_OfAnotherType_IsMadeAnew()
    {
        var key = NewKey();
        await Cache.SetAsync(key, "text");
        Assert.Equal(7, await Cache.GetOrCreateAsync(key, _ => ValueTask.FromResult(7)));
        Assert.Equal(7, await Cache.GetOrCreateAsync(key, _ => ValueTask.FromResult(8)));
    }

    [Fact]
    public async Task Value_OfUnlistedType_IsGivenAndTheLogNamesTheRemedy()
    {
        var made = await Cache.GetOrCreateAsync(
            NewKey(), _ => ValueTask.FromResult(new Unlisted { Name = "n" }));
        Assert.Equal("n", made.Name);
        await Cache.SetAsync(NewKey(), new Unlisted());
        Assert.Contains(
            node.Logs.Entries,
            entry => entry.Event.Id == 6211
                && entry.Message.Contains("ConfigureTypes in AddClusterHybridCache", StringComparison.Ordinal));
    }

    [Fact]
    public async Task RemoveByTag_WhileTheFactoryRuns_LaterCallersGetANewValue()
    {
        var (key, tag) = (NewKey(), NewKey());
        var (begun, go) = (new TaskCompletionSource(), new TaskCompletionSource());
        var early = Cache.GetOrCreateAsync(
            key,
            async _ =>
            {
                begun.SetResult();
                await go.Task;
                return "old";
            },
            tags: [tag]).AsTask();
        await begun.Task;
        await Cache.RemoveByTagAsync(tag);
        var late = Cache.GetOrCreateAsync(key, _ => ValueTask.FromResult("new"), tags: [tag]).AsTask();
        go.SetResult();
        Assert.Equal(("old", "new"), (await early, await late));
        Assert.Equal("new", await Cache.GetOrCreateAsync(key, _ => ValueTask.FromResult("newer"), tags: [tag]));
    }

    [Fact]
    public async Task Remove_WhileTheFactoryRuns_TheOldValueIsNotStored()
    {
        var key = NewKey();
        var (begun, go) = (new TaskCompletionSource(), new TaskCompletionSource());
        var early = Cache.GetOrCreateAsync(key, async _ =>
        {
            begun.SetResult();
            await go.Task;
            return "old";
        }).AsTask();
        await begun.Task;
        await Cache.RemoveAsync(key);
        go.SetResult();
        Assert.Equal("old", await early);
        Assert.Equal("new", await Cache.GetOrCreateAsync(key, _ => ValueTask.FromResult("new")));
    }

    [Fact]
    public async Task ClusterFails_FactoryRunsAndNothingThrows()
    {
        var entries = new ObservedState<string, HybridEntry>(
            node.Services.GetRequiredKeyedService<IPartitionedState<string, HybridEntry>>(HybridEntry.StateName));
        var tags = node.Services.GetRequiredService<TagGenerations>();
        var options = new ClusterHybridCacheOptions();
        using var failures = new LogRecorder();
        failures.Allow(static _ => true);
        var serializer = new EntrySerializer(options);
        using var local = new ProcessEntries(options, serializer);
        var shared = new SharedEntries(options, serializer);
        var refusals = new HybridRefusals(
            node.Services.GetRequiredService<RefusalMetrics>(), failures.CreateLogger<ClusterHybridCache>());
        using var counts = new RefusalCounts(node.Services);
        var cluster = new ClusterEntries(entries, tags, shared, refusals);
        var cache = new ClusterHybridCache(cluster, local, tags, options, refusals);

        // The state refuses a key that is too long for it, which is a failure of the state like any other.
        entries.BeforeCall = async token => await entries.Inner.GetAsync(new string('k', 5_000), token);
        var key = NewKey();
        Assert.Equal("made", await cache.GetOrCreateAsync(key, _ => ValueTask.FromResult("made")));
        await cache.SetAsync(key, "set");
        await Assert.ThrowsAsync<StateRefusedException>(async () => await cache.RemoveAsync(key));
        Assert.Contains(failures.Entries, entry => entry.Event.Id == 6210);
        Assert.NotEqual(0, counts[HybridEntry.StateName, "refused"]);
    }

    [Theory]
    [InlineData(HybridCacheEntryFlags.None)]
    [InlineData(HybridCacheEntryFlags.DisableDistributedCache)]
    public async Task Payload_TooLarge_IsNotCached(HybridCacheEntryFlags flags)
    {
        var (key, runs) = (NewKey(), 0);
        for (var run = 1; run <= 2; run++)
        {
            await Cache.GetOrCreateAsync(
                key,
                _ => ValueTask.FromResult(new Article { Name = new string('n', MaxPayloadBytes + runs++) }),
                new HybridCacheEntryOptions { Flags = flags });
            Assert.Equal(run, runs);
        }

        Assert.Contains(
            node.Logs.Entries,
            entry => entry.Event.Id is 6211 or 6220
                && entry.Message.Contains("MaximumPayloadBytes", StringComparison.Ordinal));
    }

    [Fact]
    public async Task TagIsForgotten_EntriesCountNoMore()
    {
        var (key, plain, tag) = (NewKey(), NewKey(), NewKey());
        await Cache.SetAsync(key, "old", tags: [tag]);
        await Cache.SetAsync(plain, "plain");
        var tags = node.Services.GetRequiredKeyedService<IPartitionedState<string, TagGeneration>>(
            TagGeneration.StateName);
        Assert.True(await tags.RemoveAsync(tag));
        Assert.Equal("1", await GetAsync(key, tags: [tag]));
        Assert.Equal("plain", await GetAsync(plain));
        Assert.Equal("1", await GetAsync(key));
    }

    [Fact]
    public void Options_Wrong_AllAreNamed()
    {
        var options = new ClusterHybridCacheOptions
        {
            MaximumKeyLength = 0,
            MaximumPayloadBytes = 0,
            Backups = 4,
            NearCacheBytes = 1,
            TagLifetime = TimeSpan.Zero,
        };
        var refusal = Assert.Throws<ArgumentException>(options.ThrowIfInvalid);
        Assert.All(
            (string[])["MaximumKeyLength", "MaximumPayloadBytes", "Backups", "NearCacheBytes", "TagLifetime"],
            option => Assert.Contains($"{option} is", refusal.Message, StringComparison.Ordinal));
    }
}
