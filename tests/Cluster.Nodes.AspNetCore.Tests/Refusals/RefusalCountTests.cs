using Cluster.Nodes.AspNetCore.Hybrid;
using Cluster.Nodes.AspNetCore.Sessions;
using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.Nodes.AspNetCore.Tests.Hybrid;
using Cluster.Nodes.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.AspNetCore.Session;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Refusals;

/// <summary>What is refused or not kept is counted with its reason, beside the error or the log line.</summary>
public sealed class RefusalCountTests : IAsyncLifetime
{
    private OneNode? _node;
    private RefusalCounts? _counts;

    private IServiceProvider Services => _node!.Services;

    public async Task InitializeAsync()
    {
        _node = await OneNode.StartAsync(Compose);
        _counts = new RefusalCounts(_node.Services);
    }

    public async Task DisposeAsync()
    {
        _counts!.Dispose();
        await _node!.DisposeAsync();
    }

    [Fact]
    public async Task DistributedCache_KeyOrValueOverItsLimit_IsCounted()
    {
        var cache = _node!.Cache("small");
        await Assert.ThrowsAsync<CacheLimitException>(() => cache.GetAsync(new string('k', 11)));
        await Assert.ThrowsAsync<CacheLimitException>(() => cache.SetAsync("key", new byte[101]));
        await cache.SetAsync("key", new byte[100]);
        Check("small", ("key_too_long", 1), ("value_too_large", 1));
    }

    [Fact]
    public async Task OutputCache_ValueOverItsLimit_IsCounted()
    {
        var store = Services.GetRequiredService<IOutputCacheStore>();
        await Assert.ThrowsAsync<CacheLimitException>(
            () => store.SetAsync("page", new byte[1_001], null, TimeSpan.FromMinutes(1), default).AsTask());
        Check("pages", ("value_too_large", 1));
    }

    [Fact]
    public async Task HybridCache_WhatIsNotCached_IsCounted()
    {
        _node!.Logs.Allow(static entry => entry.Event.Id is 6200 or 6201 or 6202 or 6203 or 6211 or 6220 or 6221);
        var cache = Services.GetRequiredService<HybridCache>();
        await cache.SetAsync(new string('k', 2_000), 1);
        await cache.SetAsync(" ", 1);
        await cache.SetAsync("a\nb", 1);
        await cache.SetAsync("key", 1, tags: ["\ud800"]);
        await cache.SetAsync("key", new byte[HybridConformanceTests.MaxPayloadBytes + 1]);
        await cache.SetAsync("key", new Unlisted());
        HybridCacheEntryOptions local = new() { Flags = HybridCacheEntryFlags.DisableDistributedCache };
        await cache.SetAsync("key", new byte[HybridConformanceTests.MaxPayloadBytes + 1], local);
        await cache.SetAsync("key", new Unlisted(), local);
        Check(
            HybridEntry.StateName,
            ("key_too_long", 1), ("key_invalid", 3), ("refused", 3), ("value_too_large", 1));
    }

    [Fact]
    public async Task Session_KeyOrValueOverItsLimit_IsCounted()
    {
        var session = Open("new", isNew: true);
        Assert.Throws<ArgumentOutOfRangeException>(() => session.Set(new string('k', 11), []));
        Assert.Throws<SessionLimitException>(() => session.Set("a", new byte[601]));
        session.Set("a", new byte[600]);
        Assert.Throws<SessionLimitException>(() => session.Set("b", new byte[600]));
        await session.CommitAsync();
        Check(SessionRecord.StateName, ("key_too_long", 1), ("value_too_large", 2));
    }

    [Fact]
    public async Task Session_ThatTheClusterDoesNotHave_IsCounted()
    {
        await Open("forged", isNew: false).LoadAsync();
        await Open("new", isNew: true).LoadAsync();
        Check(SessionRecord.StateName, ("session_unknown", 1));
    }

    [Fact]
    public async Task Session_ThatTwoRequestsFillOverItsLimit_IsCounted()
    {
        var first = Open("both", isNew: true);
        first.Set("a", new byte[400]);
        await first.CommitAsync();
        var second = Open("both", isNew: false);
        var third = Open("both", isNew: false);
        await second.LoadAsync();
        await third.LoadAsync();
        second.Set("b", new byte[400]);
        third.Set("c", new byte[400]);
        await second.CommitAsync();
        await Assert.ThrowsAsync<SessionLimitException>(() => third.CommitAsync());
        Check(SessionRecord.StateName, ("value_too_large", 1));
    }

    private static void Compose(ClusterBuilder cluster) => cluster
        .AddDistributedCache("small", static cache => (cache.MaxKeyLength, cache.MaxValueBytes) = (10, 100))
        .AddOutputCacheStore("pages", static cache => cache.MaxValueBytes = 1_000)
        .AddClusterHybridCache(HybridNode.SetOptions)
        .AddClusterSession(static session =>
            (session.MaxKeyLength, session.MaxValueBytes, session.MaxSessionBytes) = (10, 600, 1_024));

    private ISession Open(string key, bool isNew) => Services.GetRequiredService<ISessionStore>()
        .Create(key, TimeSpan.FromMinutes(20), TimeSpan.FromMinutes(1), () => true, isNew);

    private void Check(string state, params (string Reason, int Count)[] expected)
    {
        string[] all =
        [
            "key_too_long", "key_invalid", "value_too_large", "refused", "unreachable", "session_unknown",
            "cookie_unreadable",
        ];
        var counted = all.Select(reason => (reason, (int)_counts![state, reason])).Where(pair => pair.Item2 > 0);
        Assert.Equal(expected.Order(), counted.Order());
    }

    /// <summary>No cache has it on its closed list.</summary>
    public sealed class Unlisted;
}
