using Cluster.Slim;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Every operation, called on the owner, from another node, and from a process that owns no
/// partition.</summary>
public sealed class StateClientTests : IAsyncDisposable
{
    private readonly SimulatedCluster _cluster = new(nodes: 3);

    public enum Caller
    {
        Owner,
        OtherNode,
        Outside,
    }

    public static TheoryData<Caller> Callers => [Caller.Owner, Caller.OtherNode, Caller.Outside];

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task GetAsync_NothingStored_GivesNull(Caller caller)
    {
        var (carts, key) = Carts(caller);
        Assert.Null(await carts.GetAsync(key));
        Assert.Null(await carts.GetWithVersionAsync(key));
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task PutAsync_ThenGet_GivesAnEqualCopy(Caller caller)
    {
        var (carts, key) = Carts(caller);
        var cart = new Cart { Owner = "ann" }.With("apple", 2);
        var version = await carts.PutAsync(key, cart);
        var found = await carts.GetWithVersionAsync(key);
        Assert.Equal(version, found!.Value.Version);
        Assert.NotSame(cart, found.Value.Value);
        Assert.Equal(("ann", "apple", 2), Describe(found.Value.Value));
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task PutIfVersionAsync_VersionsRightAndWrong_StoresOnlyOnTheRightOne(Caller caller)
    {
        var (carts, key) = Carts(caller);
        var first = await carts.PutIfVersionAsync(key, new Cart { Owner = "1" }, StateVersion.None);
        Assert.Null(await carts.PutIfVersionAsync(key, new Cart { Owner = "2" }, StateVersion.None));
        var second = await carts.PutIfVersionAsync(key, new Cart { Owner = "3" }, first!.Value);
        Assert.True(second > first);
        Assert.Null(await carts.PutIfVersionAsync(key, new Cart { Owner = "4" }, first.Value));
        Assert.Equal("3", (await carts.GetAsync(key))!.Owner);
        Assert.True(await carts.RemoveAsync(key));
        Assert.Null(await carts.PutIfVersionAsync(key, new Cart(), second!.Value));
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task RemoveAsync_PresentAndAbsent_SaysWhich(Caller caller)
    {
        var (carts, key) = Carts(caller);
        Assert.False(await carts.RemoveAsync(key));
        await carts.PutAsync(key, new Cart());
        Assert.True(await carts.RemoveAsync(key));
        Assert.Null(await carts.GetAsync(key));
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task PutAsync_WithExpiry_GoesAwayExactlyThen(Caller caller)
    {
        var (carts, key) = Carts(caller);
        await carts.PutAsync(key, new Cart(), StateExpiry.After(TimeSpan.FromMinutes(1)));
        _cluster.Advance(TimeSpan.FromMinutes(1) - TimeSpan.FromTicks(1));
        Assert.NotNull(await carts.GetAsync(key));
        _cluster.Advance(TimeSpan.FromTicks(1));
        Assert.Null(await carts.GetAsync(key));
        Assert.False(await carts.RemoveAsync(key));
        Assert.False(await carts.TouchAsync(key));
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task TouchAsync_BeforeTheEnd_PutsItOffAndKeepsTheVersion(Caller caller)
    {
        var (carts, key) = Carts(caller);
        var version = await carts.PutAsync(key, new Cart(), StateExpiry.After(TimeSpan.FromMinutes(1)));
        _cluster.Advance(TimeSpan.FromSeconds(59));
        Assert.True(await carts.TouchAsync(key, StateExpiry.At(_cluster.Time.GetUtcNow() + TimeSpan.FromMinutes(1))));
        _cluster.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal(version, (await carts.GetWithVersionAsync(key))!.Value.Version);
        Assert.True(await carts.TouchAsync(key, StateExpiry.Never));
        _cluster.Advance(TimeSpan.FromMinutes(2));
        Assert.NotNull(await carts.GetAsync(key));
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task UpdateAsync_Operations_RunOnceEachOnTheValue(Caller caller)
    {
        var (carts, key) = Carts(caller);
        Assert.Equal(1, await carts.UpdateAsync(key, new AddLine("apple", 2)));
        Assert.Equal(2, await carts.UpdateAsync(key, new AddLine("pear", 3)));
        var removed = await carts.UpdateAsync(key, new CheckOut());
        Assert.Equal(["apple", "pear"], removed!.Lines.Select(line => line.Sku));
        Assert.Null(await carts.GetAsync(key));
        Assert.Null(await carts.UpdateAsync(key, new CheckOut()));
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task UpdateAsync_ValueWithExpiry_KeepsTheExpiry(Caller caller)
    {
        var (carts, key) = Carts(caller);
        await carts.PutAsync(key, new Cart(), StateExpiry.After(TimeSpan.FromMinutes(1)));
        _cluster.Advance(TimeSpan.FromSeconds(30));
        await carts.UpdateAsync(key, new AddLine("apple", 1));
        _cluster.Advance(TimeSpan.FromSeconds(30));
        Assert.Null(await carts.GetAsync(key));
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task UpdateAsync_OperationThrows_ChangesNothingAndTheCallerGetsIt(Caller caller)
    {
        var (carts, key) = Carts(caller);
        var version = await carts.PutAsync(key, new Cart { Owner = "ann" });
        var error = await Assert.ThrowsAsync<NotSupportedException>(async () =>
            await carts.UpdateAsync(key, new FailAfterChange()));
        Assert.Equal("out of stock", error.Message);
        var found = await carts.GetWithVersionAsync(key);
        Assert.Equal(("ann", version), (found!.Value.Value.Owner, found.Value.Version));
        Assert.Equal(1, await carts.UpdateAsync(key, new AddLine("apple", 1)));
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task UpdateAsync_ResultingValueCannotTravel_ChangesNothing(Caller caller)
    {
        var (carts, key) = Carts(caller);
        await carts.PutAsync(key, new Cart { Owner = "ann" });
        var error = await Assert.ThrowsAsync<StateRefusedException>(
            async () => await carts.UpdateAsync(key, new MakeUncarriable()));
        Assert.IsAssignableFrom<SlimException>(error.InnerException);
        Assert.Equal("ann", (await carts.GetAsync(key))!.Owner);
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task PutAsync_ValueCannotTravel_FailsHereWithTheMemberPath(Caller caller)
    {
        var (carts, key) = Carts(caller);
        var calls = _cluster.CallCount;
        var error = await Assert.ThrowsAsync<StateRefusedException>(async () =>
            await carts.PutAsync(key, new Cart { Extra = new MemoryStream() }));
        Assert.IsAssignableFrom<SlimException>(error.InnerException);
        Assert.Contains("Extra", error.Message, StringComparison.Ordinal);
        Assert.Equal(calls, _cluster.CallCount);
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task UpdateAsync_OperationContext_HasTheOwnersTime(Caller caller)
    {
        var (carts, key) = Carts(caller);
        var (now, first) = await carts.UpdateAsync(key, new Look());
        var (_, second) = await carts.UpdateAsync(key, new Look());
        Assert.Equal(_cluster.Time.GetUtcNow(), now);
        Assert.NotEqual(first, second);
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task PutAsync_ValueTooLarge_IsRefusedByName(Caller caller)
    {
        var (carts, key) = Carts(caller);
        var error = await Assert.ThrowsAsync<StateRefusedException>(async () =>
            await carts.PutAsync(key, new Cart { Owner = new string('x', 2 << 20) }));
        Assert.Contains("MaxValueBytes", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task UpdateAsync_NullableValueType_CountsFromNothing()
    {
        foreach (var router in new[] { _cluster[0].Router, _cluster.Client })
        {
            var counts = new StateClient<string, int?>(SimulatedCluster.Counts, router);
            Assert.Null(await counts.GetAsync(router == _cluster.Client ? "b" : "a"));
            Assert.Equal(1, await counts.UpdateAsync(router == _cluster.Client ? "b" : "a", default(Increment)));
            Assert.Equal(2, await counts.UpdateAsync(router == _cluster.Client ? "b" : "a", default(Increment)));
        }
    }

    [Fact]
    public async Task UpdateAsync_OperationNotRegistered_NamesTheLineToAdd()
    {
        var state = StateDefinition.Create<long, string>("unregistered");
        var client = new StateClient<long, string>(state, _cluster.Client);
        var error = await Assert.ThrowsAsync<StateRefusedException>(async () =>
            await client.UpdateAsync(1, new AppendText("x")));
        Assert.Contains("s.AllowOperation<AppendText>()", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task GetAsync_StateOfNoNode_IsUnavailable()
    {
        var state = StateDefinition.Create<long, string>("elsewhere");
        var reading = new StateClient<long, string>(state, _cluster.Client).GetAsync(1).AsTask();
        await _cluster.RunAsync(reading);
        var error = await Assert.ThrowsAsync<StateUnavailableException>(() => reading);
        Assert.Contains("no node has joined that has this state", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task States_SameKey_AreIndependent()
    {
        var carts = new StateClient<string, Cart>(SimulatedCluster.Carts, _cluster.Client);
        var counts = new StateClient<string, int?>(SimulatedCluster.Counts, _cluster.Client);
        await carts.PutAsync("same", new Cart());
        await counts.PutAsync("same", 7);
        Assert.True(await carts.RemoveAsync("same"));
        Assert.Equal(7, await counts.GetAsync("same"));
        Assert.Equal(1, _cluster.Nodes.Sum(node => node.Store.CountEntries()["counts"]));
        Assert.Equal(0, _cluster.Nodes.Sum(node => node.Store.CountEntries()["carts"]));
    }

    [Fact]
    public async Task Arguments_NullKeyOrValueOrOperation_AreRefused()
    {
        var carts = _cluster[0].Carts;
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await carts.GetAsync(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await carts.PutAsync("a", null!));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await carts.UpdateAsync<int>("a", null!));
        await Assert.ThrowsAsync<ArgumentException>(async () => await carts.GetAsync("\ud800"));
        await Assert.ThrowsAsync<StateRefusedException>(async () => await carts.GetAsync(new string('k', 5_000)));
    }

    private static (string Owner, string Sku, int Count) Describe(Cart cart) =>
        (cart.Owner, cart.Lines[0].Sku, cart.Lines[0].Count);

    private (StateClient<string, Cart> Carts, string Key) Carts(Caller caller) => caller switch
    {
        Caller.Owner => (_cluster[0].Carts, _cluster.KeyOn(_cluster[0])),
        Caller.OtherNode => (_cluster[1].Carts, _cluster.KeyOn(_cluster[0])),
        _ => (new StateClient<string, Cart>(SimulatedCluster.Carts, _cluster.Client), _cluster.KeyOn(_cluster[0])),
    };
}
