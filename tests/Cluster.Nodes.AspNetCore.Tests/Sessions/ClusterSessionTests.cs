using Cluster.Nodes.AspNetCore.Sessions;
using Cluster.Testing;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Session;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Memory;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using static Cluster.Nodes.AspNetCore.Tests.Sessions.SessionNode;

namespace Cluster.Nodes.AspNetCore.Tests.Sessions;

/// <summary>The session of the cluster passes the tests of the stock one, and sends changed keys only.</summary>
public sealed class ClusterSessionTests(SessionNode node) : SessionConformanceTests, IClassFixture<SessionNode>
{
    // A read of a sliding entry sends HGET and then EXPIRE; a write sends both at once.
    private const int RedisReadTrips = 2;
    private const int RedisWriteTrips = 1;

    [Fact]
    public void AddClusterSession_StoreIsThatOfTheCluster() =>
        Assert.IsType<ClusterSessionStore>(node.Services.GetRequiredService<ISessionStore>());

    [Fact]
    public async Task RequestWithOneChange_CostsAtMostTwoCallsAndThreeFifthsOfTheStockSession()
    {
        var state = node.Observe();
        var store = node.CreateStore(state);
        var key = await BeginAsync(store);
        var before = state.Calls.Count;
        var session = Open(store, key);
        _ = session.GetString("a");
        session.SetInt32("b", 2);
        await session.CommitAsync();
        Assert.Equal(["GetAsync", "UpdateAsync"], state.Calls.Skip(before));

        var cache = new ObservedCache(new MemoryDistributedCache(Options.Create(new MemoryDistributedCacheOptions())));
        var stock = new DistributedSessionStore(cache, node.Services.GetRequiredService<ILoggerFactory>());
        var stockKey = Guid.NewGuid().ToString();
        var first = Create(stock, stockKey);
        first.SetInt32("a", 1);
        await first.CommitAsync();
        var stockBefore = cache.Calls.Count;
        var second = Create(stock, stockKey);
        _ = second.GetString("a");
        second.SetInt32("b", 2);
        await second.CommitAsync();
        var calls = cache.Calls.Skip(stockBefore).ToArray();
        var trips = calls.Sum(call => call == "Get" ? RedisReadTrips : RedisWriteTrips);
        Assert.True(2 <= 0.6 * trips, $"2 round trips against {trips} ({string.Join(", ", calls)})");

        static ISession Create(DistributedSessionStore stock, string key) => stock.Create(
            key, TimeSpan.FromMinutes(20), TimeSpan.FromMinutes(1), () => true, isNewSessionKey: false);
    }

    [Fact]
    public async Task RequestThatReads_CostsOneCall()
    {
        var state = node.Observe();
        var store = node.CreateStore(state);
        var key = await BeginAsync(store);
        var before = state.Calls.Count;
        var session = Open(store, key);
        _ = session.GetString("a");
        await session.CommitAsync();
        Assert.Equal(["GetAsync"], state.Calls.Skip(before));
    }

    [Fact]
    public async Task RequestThatUsesNoSession_TouchesIt()
    {
        var state = node.Observe();
        var store = node.CreateStore(state);
        var key = await BeginAsync(store);
        var before = state.Calls.Count;
        await Open(store, key).CommitAsync();
        Assert.Equal(["TouchAsync"], state.Calls.Skip(before));
    }

    [Fact]
    public async Task NewSession_NothingSet_MakesNoCall()
    {
        var state = node.Observe();
        var session = Open(node.CreateStore(state), Guid.NewGuid().ToString(), isNew: true);
        _ = session.GetString("a");
        _ = session.Id;
        await session.CommitAsync();
        await Open(node.CreateStore(state), Guid.NewGuid().ToString(), isNew: true).CommitAsync();
        Assert.Empty(state.Calls);
    }

    [Fact]
    public async Task NewSession_OneValue_IsOneCall()
    {
        var state = node.Observe();
        await BeginAsync(node.CreateStore(state));
        Assert.Equal(["PutIfVersionAsync"], state.Calls);
    }

    [Fact]
    public async Task TwoRequestsAtOnce_DifferentKeys_LoseNothing()
    {
        var store = node.CreateStore(node.State);
        var key = await BeginAsync(store);
        var (left, right) = (Open(store, key), Open(store, key));
        await Task.WhenAll(left.LoadAsync(), right.LoadAsync());
        left.SetInt32("left", 1);
        left.Remove("a");
        right.SetInt32("right", 2);
        await Task.WhenAll(left.CommitAsync(), right.CommitAsync());
        Assert.Equal(["left", "right"], Open(store, key).Keys.Order());
    }

    [Fact]
    public async Task TwoRequestsAtOnce_BothBeginTheSession_LoseNothing()
    {
        var store = node.CreateStore(node.State);
        var key = Guid.NewGuid().ToString();
        var (left, right) = (Open(store, key), Open(store, key));
        left.SetInt32("left", 1);
        right.SetInt32("right", 2);
        await Task.WhenAll(left.CommitAsync(), right.CommitAsync());
        Assert.Equal(["left", "right"], Open(store, key).Keys.Order());
    }

    [Fact]
    public async Task ManyRequestsAtOnce_EachWithItsKey_LoseNothing()
    {
        const int Count = 64;
        var store = node.CreateStore(node.State);
        var key = Guid.NewGuid().ToString();
        await Task.WhenAll(Enumerable.Range(0, Count).Select(number => Task.Run(async () =>
        {
            var session = Open(store, key);
            session.SetInt32($"key-{number}", number);
            session.SetInt32("shared", number);
            session.Remove("shared");
            await session.CommitAsync();
        })));
        var names = Enumerable.Range(0, Count).Select(number => $"key-{number}").Order();
        Assert.Equal(names, Open(store, key).Keys.Where(name => name != "shared").Order());
    }

    [Fact]
    public async Task SessionEndsDuringRequest_CommitStoresAllItKnows()
    {
        var store = node.CreateStore(node.State);
        var key = await BeginAsync(store);
        var session = Open(store, key);
        await session.LoadAsync();
        await node.State.RemoveAsync(key);
        session.SetInt32("b", 2);
        await session.CommitAsync();
        Assert.Equal(["a", "b"], Open(store, key).Keys.Order());
        Assert.Equal(session.Id, Open(store, key).Id);
    }

    [Fact]
    public async Task IdleTimeout_Passes_SessionIsGone()
    {
        var store = node.CreateStore(node.State);
        var key = Guid.NewGuid().ToString();
        var session = store.Create(
            key, TimeSpan.FromMilliseconds(300), TimeSpan.FromMinutes(1), () => true, isNewSessionKey: true);
        session.SetInt32("a", 1);
        await session.CommitAsync();
        await Eventually.TrueAsync(
            async () => !await node.State.ScanKeysAsync().ContainsAsync(key), TimeSpan.FromSeconds(30));
        Assert.Empty(Open(store, key).Keys);
    }

    [Fact]
    public void Set_ValueTooLarge_NamesTheOption()
    {
        var store = node.CreateStore(node.State, new ClusterSessionOptions { MaxValueBytes = 10 });
        var session = Open(store, Guid.NewGuid().ToString(), isNew: true);
        session.Set("a", new byte[10]);
        var refusal = Assert.Throws<SessionLimitException>(() => session.Set("a", new byte[11]));
        Assert.Equal(("MaxValueBytes", 10L, 11L), (refusal.Option, refusal.Limit, refusal.Found));
        Assert.Contains("raise MaxValueBytes", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(10, session.Get("a")!.Length);
    }

    [Fact]
    public void Set_KeyTooLong_NamesTheOption()
    {
        var store = node.CreateStore(node.State, new ClusterSessionOptions { MaxKeyLength = 3 });
        var session = Open(store, Guid.NewGuid().ToString(), isNew: true);
        session.Set("abc", []);
        var refusal = Assert.Throws<ArgumentOutOfRangeException>(() => session.Set("abcd", []));
        Assert.Contains("MaxKeyLength", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Set_SessionTooLarge_NamesTheOption()
    {
        var store = node.CreateStore(node.State, new ClusterSessionOptions { MaxSessionBytes = 2_000 });
        var session = Open(store, Guid.NewGuid().ToString(), isNew: true);
        session.Set("a", new byte[1_500]);
        session.Set("a", new byte[1_900]);
        var refusal = Assert.Throws<SessionLimitException>(() => session.Set("b", new byte[100]));
        Assert.Equal("MaxSessionBytes", refusal.Option);
        session.Remove("a");
        session.Set("b", new byte[100]);
    }

    [Fact]
    public async Task Commit_RequestsTogetherTooLarge_SecondIsRefused()
    {
        var store = node.CreateStore(node.State, new ClusterSessionOptions { MaxSessionBytes = 2_000 });
        var key = await BeginAsync(store);
        var (left, right) = (Open(store, key), Open(store, key));
        left.Set("left", new byte[1_500]);
        right.Set("right", new byte[1_500]);
        await left.CommitAsync();
        var refusal = await Assert.ThrowsAsync<SessionLimitException>(() => right.CommitAsync());
        Assert.Equal("MaxSessionBytes", refusal.Option);
        Assert.Equal(["a", "left"], Open(store, key).Keys.Order());
    }

    [Fact]
    public void Options_Wrong_AllAreNamed()
    {
        var options = new ClusterSessionOptions { MaxKeyLength = 0, MaxValueBytes = 0, MaxSessionBytes = 1 };
        var refusal = Assert.Throws<ArgumentException>(options.ThrowIfInvalid);
        Assert.All(
            (string[])["MaxKeyLength is 0", "MaxValueBytes is 0", "MaxSessionBytes is 1"],
            problem => Assert.Contains(problem, refusal.Message, StringComparison.Ordinal));
    }

    private protected override ISession Create(string key, TimeSpan ioTimeout, Func<bool> tryEstablish, bool isNew)
    {
        var state = node.Observe();
        state.BeforeCall = token => BeforeCall?.Invoke(token) ?? Task.CompletedTask;
        return node.CreateStore(state).Create(key, TimeSpan.FromMinutes(20), ioTimeout, tryEstablish, isNew);
    }

    private static async Task<string> BeginAsync(ClusterSessionStore store)
    {
        var key = Guid.NewGuid().ToString();
        var session = Open(store, key, isNew: true);
        session.SetInt32("a", 1);
        await session.CommitAsync();
        return key;
    }
}
