using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Semantics.Instances;

/// <summary>Stateful services: handles, lives and lines. Acceptance cases 49, 50, 51, 53 and 54.</summary>
public abstract class InstanceSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Idle = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan LockTimeout = TimeSpan.FromSeconds(20);

    private readonly ManualTimeProvider _time = new();

    protected override TimeProvider Time => _time;

    private ITill Tills => Proxy<ITill>();

    private TillWatch Watch => Server.Services.GetRequiredService<TillWatch>();

    [Fact]
    [Trait("Case", "glue-49")]
    public async Task Instance_IsConstructedCalledAndDestructed()
    {
        var first = Tills.At(await Tills.OpenAsync("ann"));
        var second = Tills.At(await Tills.OpenAsync("bob"));
        Assert.Equal(5, await first.AddAsync(5));
        Assert.Equal(7, await first.AddAsync(2));
        Assert.Equal(1, await second.AddAsync(1));
        Assert.Equal(("ann", "bob"), (await first.OwnerAsync(), await second.OwnerAsync()));
        Assert.Equal((2, 0), (Watch.Made, Watch.Disposed));
        await Assert.ThrowsAsync<InvalidOperationException>(() => first.CloseAsync(fails: true));
        Assert.Equal(7, await first.CloseAsync(fails: false));
        Assert.Equal(1, Watch.Disposed);
        await CheckGone(() => first.AddAsync(1), "it has ended");
        Assert.Equal(2, await second.AddAsync(1));
    }

    [Fact]
    [Trait("Case", "glue-49")]
    [Trait("Case", "glue-52")]
    public async Task HandleOfNobody_IsRefused_WithTheReason()
    {
        await CheckGone(() => Tills.AddAsync(1), "[Constructor]");
        var handle = await Tills.OpenAsync("ann");
        await CheckGone(() => Tills.At(handle with { Id = Guid.NewGuid() }).AddAsync(1), "it has ended");
        await CheckGone(() => Tills.At(handle with { Incarnation = Guid.NewGuid() }).AddAsync(1), "another process");
    }

    [Fact]
    [Trait("Case", "glue-49")]
    public async Task ConstructorThatThrows_LeavesNothingBehind()
    {
        await Assert.ThrowsAsync<ArgumentException>(() => Tills.OpenAsync(""));
        await Eventually.TrueAsync(() => Watch.Disposed == 1, Bound);
        Assert.Equal(1, Watch.Made);
    }

    [Fact]
    [Trait("Case", "glue-50")]
    public async Task IdleInstance_IsGoneAtItsTimeExactly_AndACallExtendsItsLife()
    {
        var till = Tills.At(await Tills.OpenAsync("ann"));
        _time.Advance(Idle - TimeSpan.FromTicks(1));
        Assert.Equal(1, await till.AddAsync(1));
        _time.Advance(Idle - TimeSpan.FromTicks(1));
        Assert.Equal(2, await till.AddAsync(1));
        _time.Advance(Idle);
        await CheckGone(() => till.AddAsync(1), "InstanceIdleTimeout");
        await Eventually.TrueAsync(() => Watch.Disposed == 1, Bound);
    }

    [Fact]
    [Trait("Case", "glue-50")]
    public async Task IdleInstance_ThatNobodyCalls_IsDisposed()
    {
        await Tills.OpenAsync("ann");
        _time.Advance(Idle);
        _time.Advance(Idle);
        await Eventually.TrueAsync(() => Watch.Disposed == 1, Bound);
    }

    [Fact]
    [Trait("Case", "glue-51")]
    [Trait("Case", "glue-67")]
    public async Task Calls_ToOneInstance_RunInTurn_InTheOrderOfTheirArrival()
    {
        var till = Tills.At(await Tills.OpenAsync("ann"));
        var held = till.HoldAsync(1);
        Assert.True(await Watch.Entered.WaitAsync(Bound));
        await till.PutAsync(2);
        var third = till.AddAsync(3);
        await till.PutAsync(4);
        var fifth = till.AddAsync(5);
        Assert.False(third.IsCompleted);
        Assert.Equal("bob", await Tills.At(await Tills.OpenAsync("bob")).OwnerAsync());
        Watch.Release.Release();
        Assert.Equal(1, await held.WaitAsync(Bound));
        int[] sums = [await third.WaitAsync(Bound), await fifth.WaitAsync(Bound)];
        Assert.Equal(15, sums.Max());
        if (Binding.ArrivesAsSent)
            Assert.Equal([6, 15], sums);
        Assert.Equal((1, 1), (Watch.InsideMax, Watch.Order.First()));
    }

    [Fact]
    [Trait("Case", "glue-51")]
    public async Task ThreadSafeInstance_IsCalledByManyAtOnce()
    {
        var tills = Proxy<ISafeTill>();
        var till = tills.At(await tills.OpenAsync());
        Task<int>[] calls = [till.HoldAsync(1), till.HoldAsync(1), till.HoldAsync(1)];
        foreach (var _ in calls)
            Assert.True(await Watch.Entered.WaitAsync(Bound));
        Watch.Release.Release(calls.Length);
        Assert.Equal([1, 2, 3], (await Task.WhenAll(calls).WaitAsync(Bound)).Order());
        Assert.Equal(calls.Length, Watch.InsideMax);
    }

    [Fact]
    [Trait("Case", "glue-51")]
    public async Task CallThatWaitsTooLong_IsRefused_AndTheInstanceGoesOn()
    {
        var till = Tills.At(await Tills.OpenAsync("ann"));
        var held = till.HoldAsync(1);
        Assert.True(await Watch.Entered.WaitAsync(Bound));
        var waiting = till.AddAsync(2);
        // When the call gets into the line is not known, so the time begins to count at some step.
        await Eventually.TrueAsync(
            () =>
            {
                _time.Advance(LockTimeout / 10);
                return waiting.IsCompleted;
            },
            Bound);
        var refused = await Assert.ThrowsAsync<GlueException>(() => waiting);
        Assert.Equal(
            (GlueErrorKind.Overloaded, GlueDelivery.NotDelivered, GlueErrorCode.InstanceLockTimeout),
            (refused.Kind, refused.Delivery, refused.Code));
        Assert.Contains("InstanceLockTimeout", refused.Message, StringComparison.Ordinal);
        Assert.False(held.IsCompleted);
        Watch.Release.Release();
        Assert.Equal(1, await held.WaitAsync(Bound));
        Assert.Equal(4, await till.AddAsync(3));
    }

    [Fact]
    [Trait("Case", "glue-53")]
    public async Task AutoConstructedInstance_IsMadeByTheFirstCall_OnceHoweverManyRace()
    {
        var pocket = Proxy<IPocket>().At(GlueInstance.NewAutoConstructed());
        var sums = await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => pocket.AddAsync(1)));
        Assert.Equal(Enumerable.Range(1, 100), sums.Order());
        Assert.Equal(1, Watch.Made);
        Assert.Equal(1, await Proxy<IPocket>().At(GlueInstance.NewAutoConstructed()).AddAsync(1));
        Assert.Equal(1, await Proxy<IPocket>().AddAsync(1));
        Assert.Equal(2, await Proxy<IPocket>().AddAsync(1));
        Assert.Equal(3, Watch.Made);
        await pocket.EmptyAsync();
        Assert.Equal(1, await pocket.AddAsync(1));
        _time.Advance(Idle);
        Assert.Equal(1, await pocket.AddAsync(1));
    }

    [Fact]
    [Trait("Case", "glue-53")]
    public async Task AutoConstructedInstance_CalledFirstByThreadsAtOnce_IsOne()
    {
        for (var round = 0; round < 100; round++)
        {
            var pocket = Proxy<IPocket>().At(GlueInstance.NewAutoConstructed());
            var sums = await Task.WhenAll(
                Enumerable.Range(0, 4).Select(_ => Task.Run(() => pocket.AddAsync(1))));
            Assert.Equal([1, 2, 3, 4], sums.Order());
            await pocket.EmptyAsync();
        }
    }

    [Fact]
    [Trait("Case", "glue-54")]
    public async Task Handle_AsAnArgument_WorksFromAnotherService()
    {
        Watch.Tills = Tills;
        var handle = await Tills.OpenAsync("ann");
        await Tills.At(handle).AddAsync(9);
        Assert.Equal("ann 9", await Proxy<IAuditor>().AuditAsync(handle));
    }

    [Fact]
    public async Task Instances_OverTheLimit_AreRefused()
    {
        for (var i = 0; i < 50; i++)
            await Tills.OpenAsync("ann");
        var exception = await Assert.ThrowsAsync<GlueException>(() => Tills.OpenAsync("ann"));
        Assert.Equal(GlueErrorCode.InstancesLimit, exception.Code);
        Assert.Contains("MaxInstances", exception.Message, StringComparison.Ordinal);
    }

    public override void ConfigureServer(GlueServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.InstanceIdleTimeout = Idle;
        options.InstanceLockTimeout = LockTimeout;
        options.MaxInstances = 50;
        options.HeartbeatInterval = TimeSpan.FromMinutes(10);
    }

    public override void ConfigureClient(GlueClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        // The clock stands still or leaps; links and calls are not to notice.
        options.DefaultDeadline = TimeSpan.FromHours(10);
        options.HeartbeatInterval = TimeSpan.FromMinutes(10);
        options.ResumeWindow = TimeSpan.FromMinutes(10);
    }

    private protected override void AddServices(GlueServerBuilder glue)
    {
        glue.Services.AddSingleton<TillWatch>();
        glue.AddService<ITill, Till>(GlueInstanceMode.Stateful)
            .AddService<ISafeTill, SafeTill>(GlueInstanceMode.Stateful)
            .AddService<IPocket, Pocket>(GlueInstanceMode.AutoConstructed)
            .AddService<IAuditor, Auditor>();
    }

    private static async Task CheckGone(Func<Task> call, string reason)
    {
        var exception = await Assert.ThrowsAsync<GlueException>(call);
        Assert.Equal(
            (GlueErrorKind.Refused, GlueDelivery.NotDelivered, GlueErrorCode.NoSuchInstance),
            (exception.Kind, exception.Delivery, exception.Code));
        Assert.Contains(reason, exception.Message, StringComparison.Ordinal);
    }
}
