using Cluster.Nodes.AspNetCore.Sessions;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Sessions;

/// <summary>Typed values of sessions.</summary>
public sealed class SessionStateTests(SessionNode node) : IClassFixture<SessionNode>
{
    [Fact]
    public async Task NewSession_HasNoValueAndMakesNoCall()
    {
        var (request, state, _) = Begin(isNew: true);
        Assert.Null(await request.GetAsync());
        Assert.False(await request.RemoveAsync());
        Assert.Empty(state.Calls);
    }

    [Fact]
    public async Task Update_FirstOfTheSession_BeginsItWithItsCookie()
    {
        var established = 0;
        var (request, state, key) = Begin(isNew: true, tryEstablish: () => ++established > 0);
        Assert.Equal(1, await request.UpdateAsync(new AddBasketLine(new BasketLine("tea", 2))));
        Assert.Equal(1, established);
        Assert.Equal(["PutIfVersionAsync", "UpdateAsync"], state.Calls);
        var (next, nextState, _) = Begin(key);
        Assert.Equal(2, await next.UpdateAsync(new AddBasketLine(new PricedLine("cup", 1, 2.5m))));
        Assert.Equal(["UpdateAsync"], nextState.Calls);
        var basket = await Begin(key).Request.GetAsync();
        Assert.Equal([new BasketLine("tea", 2), new PricedLine("cup", 1, 2.5m)], basket!.Lines);
    }

    [Fact]
    public async Task Update_ResponseHasBegun_IsRefused()
    {
        var (request, _, _) = Begin(isNew: true, tryEstablish: () => false);
        await Assert.ThrowsAsync<InvalidOperationException>(
            async () => await request.UpdateAsync(new AddBasketLine(new BasketLine("tea", 2))));
    }

    [Fact]
    public async Task UpdatesAtOnce_OfManyRequests_AllCount()
    {
        var key = Guid.NewGuid().ToString();
        var counts = await Task.WhenAll(Enumerable.Range(0, 50).Select(number => Task.Run(async () =>
            await Begin(key).Request.UpdateAsync(new AddBasketLine(new BasketLine($"{number}", number))))));
        Assert.Equal(Enumerable.Range(1, 50), counts.Order());
        Assert.Equal(50, (await Begin(key).Request.GetAsync())!.Lines.Count);
    }

    [Fact]
    public async Task Set_ThenRemove_IsGone()
    {
        var key = Guid.NewGuid().ToString();
        var basket = new Basket();
        basket.Lines.Add(new BasketLine("tea", 1));
        await Begin(key).Request.SetAsync(basket);
        Assert.Single((await Begin(key).Request.GetAsync())!.Lines);
        Assert.True(await Begin(key).Request.RemoveAsync());
        Assert.False(await Begin(key).Request.RemoveAsync());
        Assert.Null(await Begin(key).Request.GetAsync());
    }

    [Fact]
    public async Task Update_OperationSetsNull_RemovesTheValue()
    {
        var key = Guid.NewGuid().ToString();
        Assert.Null(await Begin(key).Request.UpdateAsync(new TakeBasketLine()));
        await Begin(key).Request.UpdateAsync(new AddBasketLine(new PricedLine("cup", 1, 2.5m)));
        Assert.Equal(new PricedLine("cup", 1, 2.5m), await Begin(key).Request.UpdateAsync(new TakeBasketLine()));
        Assert.Null(await Begin(key).Request.GetAsync());
    }

    [Fact]
    public async Task Update_OperationThrows_ChangesNothing()
    {
        var key = Guid.NewGuid().ToString();
        await Begin(key).Request.UpdateAsync(new AddBasketLine(new BasketLine("tea", 1)));
        var failure = await Assert.ThrowsAnyAsync<Exception>(
            async () => await Begin(key).Request.UpdateAsync(new FailBasket()));
        Assert.Contains("The basket is full.", failure.Message, StringComparison.Ordinal);
        Assert.Single((await Begin(key).Request.GetAsync())!.Lines);
    }

    [Fact]
    public async Task PlainValues_AndTypedOnes_LeaveEachOtherAlone()
    {
        var key = Guid.NewGuid().ToString();
        await Begin(key).Request.UpdateAsync(new AddBasketLine(new BasketLine("tea", 1)));
        var session = SessionNode.Open(node.CreateStore(node.State), key);
        session.SetInt32("count", 1);
        await session.CommitAsync();
        await Begin(key).Request.UpdateAsync(new AddBasketLine(new BasketLine("tea", 1)));
        Assert.Equal(2, (await Begin(key).Request.GetAsync())!.Lines.Count);
        Assert.Equal(1, SessionNode.Open(node.CreateStore(node.State), key).GetInt32("count"));
    }

    [Fact]
    public async Task SessionCleared_TypedValuesAreGone()
    {
        var key = Guid.NewGuid().ToString();
        await Begin(key).Request.UpdateAsync(new AddBasketLine(new BasketLine("tea", 1)));
        var session = SessionNode.Open(node.CreateStore(node.State), key);
        session.Clear();
        await session.CommitAsync();
        Assert.Null(await Begin(key).Request.GetAsync());
    }

    [Fact]
    public async Task SessionEnds_TypedValuesEndWithIt()
    {
        var key = Guid.NewGuid().ToString();
        await Begin(key).Request.UpdateAsync(new AddBasketLine(new BasketLine("tea", 1)));
        await node.State.RemoveAsync(key);
        Assert.Null(await Begin(key).Request.GetAsync());
        Assert.Equal(1, await Begin(key).Request.UpdateAsync(new AddBasketLine(new BasketLine("tea", 1))));
    }

    [Fact]
    public async Task TypedValueUsed_CommitMakesNoCall()
    {
        var key = Guid.NewGuid().ToString();
        var (request, state, _) = Begin(key);
        await request.UpdateAsync(new AddBasketLine(new BasketLine("tea", 1)));
        var session = (ISession)Context!.Features.Get<ISessionFeature>()!.Session;
        var before = state.Calls.Count;
        await session.CommitAsync();
        Assert.Equal(before, state.Calls.Count);
    }

    [Fact]
    public async Task Request_WithoutSession_IsToldWhatIsMissing()
    {
        var state = new SessionState<Basket>(new FixedContext(new DefaultHttpContext()), Options);
        var refusal = await Assert.ThrowsAsync<InvalidOperationException>(async () => await state.GetAsync());
        Assert.Contains("app.UseSession()", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Type_WithoutAddState_IsToldTheCall()
    {
        using var scope = node.Services.CreateScope();
        var state = scope.ServiceProvider.GetRequiredService<ISessionState<string>>();
        var refusal = await Assert.ThrowsAsync<InvalidOperationException>(async () => await state.GetAsync());
        Assert.Contains("session.AddState<String>()", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AddState_MakesItInjectable()
    {
        using var scope = node.Services.CreateScope();
        Assert.NotNull(scope.ServiceProvider.GetRequiredService<ISessionState<Basket>>());
    }

    [Fact]
    public void AddState_ForeignOperation_IsRefused()
    {
        var refusal = Assert.Throws<ArgumentException>(() => new ClusterSessionOptions().AddState<BasketLine>(
            state => state.AllowOperation<AddBasketLine>()));
        Assert.Contains("AddBasketLine", refusal.Message, StringComparison.Ordinal);
    }

    private ClusterSessionOptions Options => node.Services.GetRequiredService<ClusterSessionOptions>();

    private HttpContext? Context { get; set; }

    private (ISessionState<Basket> Request, ObservedState Observed, string Key) Begin(
        string? key = null, bool isNew = false, Func<bool>? tryEstablish = null)
    {
        key ??= Guid.NewGuid().ToString();
        var observed = node.Observe();
        var session = node.CreateStore(observed).Create(
            key, TimeSpan.FromMinutes(20), TimeSpan.FromMinutes(1), tryEstablish ?? (() => true), isNew);
        var context = new DefaultHttpContext();
        context.Features.Set<ISessionFeature>(new SessionFeature { Session = session });
        Context = context;
        return (new SessionState<Basket>(new FixedContext(context), Options), new ObservedState(observed), key);
    }

    // The accessor of the framework flows with the call, so that requests of one test would share it.
    private sealed class FixedContext(HttpContext context) : IHttpContextAccessor
    {
        public HttpContext? HttpContext { get; set; } = context;
    }

    private sealed class SessionFeature : ISessionFeature
    {
        public ISession Session { get; set; } = null!;
    }

    private sealed class ObservedState(Clusters.ObservedState<string, SessionRecord> state)
    {
        public IReadOnlyCollection<string> Calls => state.Calls;
    }
}
