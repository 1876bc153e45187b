using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Tests.Hosting;

namespace Cluster.StateStore.Tests.Engine;

/// <summary>Many writers on few keys: operations are atomic per key, none waits for another, and one that is always
/// late ends.</summary>
public sealed class OwnerOperationsTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly ConcurrentDictionary<int, Action<string?>> Hooks = new();
    private static int _lastHook;

    private static StateDefinition<string, Cart> Hooked { get; } =
        StateDefinition.Create<string, Cart>("hooked", s => s.AllowOperation<CallHook>());

    [Fact]
    public async Task UpdateAsync_ManyWritersOnOneKey_LoseNoIncrement()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 2, partitions: 2);
        const int Writers = 8, Increments = 2_000;
        await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
        {
            var counts = new StateClient<string, int?>(SimulatedCluster.Counts, cluster[writer % 2].Router);
            for (var number = 0; number < Increments; number++)
                await counts.UpdateAsync("one", default(Increment));
        }))).WaitAsync(Bound, TimeProvider.System);
        var reader = new StateClient<string, int?>(SimulatedCluster.Counts, cluster[0].Router);
        Assert.Equal(Writers * Increments, await reader.GetAsync("one"));
    }

    [Fact]
    public async Task PutIfVersionAsync_ManyWritersOnOneKey_EachVersionIsReplacedOnce()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 2, partitions: 1, backups: 1);
        var counts = new StateClient<string, int?>(SimulatedCluster.Counts, cluster[0].Router);
        await counts.PutAsync("one", 0);
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
        {
            for (var done = 0; done < 500;)
            {
                var (value, version) = (await counts.GetWithVersionAsync("one"))!.Value;
                if (await counts.PutIfVersionAsync("one", value + 1, version) is not null)
                    done++;
            }
        }))).WaitAsync(Bound, TimeProvider.System);
        Assert.Equal(2_000, await counts.GetAsync("one"));
    }

    [Fact]
    public async Task UpdateAsync_OperationRuns_ReadsAndWritesOfAllKeysGoOn()
    {
        await using var run = new HookRun(nodes: 1);
        var update = run.Start();
        Assert.Equal("before", (await run.Carts.GetAsync("held"))!.Owner);
        await run.Carts.PutAsync("free", new Cart());
        await run.Carts.PutAsync("held", new Cart { Owner = "after" });
        Assert.Equal("after", (await run.Carts.GetAsync("held"))!.Owner);
        run.Open();
        await update.WaitAsync(Bound, TimeProvider.System);
    }

    [Fact]
    public async Task UpdateAsync_WriteOfTheKeyComesFirst_RunsAgainOnItsResult()
    {
        await using var run = new HookRun(nodes: 1);
        var update = run.Start();
        await run.Carts.PutAsync("held", new Cart { Owner = "other" });
        run.Open();
        Assert.Equal(2, await update.WaitAsync(Bound, TimeProvider.System));
        Assert.Equal(["before", "other"], run.Seen);
        Assert.Equal("other+hook", (await run.Carts.GetAsync("held"))!.Owner);
    }

    [Fact]
    public async Task UpdateAsync_KeyRemovedMeanwhile_RunsAgainOnNothing()
    {
        await using var run = new HookRun(nodes: 1);
        var update = run.Start();
        await run.Carts.RemoveAsync("held");
        run.Open();
        await update.WaitAsync(Bound, TimeProvider.System);
        Assert.Equal(["before", null], run.Seen);
        Assert.Equal("+hook", (await run.Carts.GetAsync("held"))!.Owner);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task UpdateAsync_OtherWritesAlwaysComeFirst_IsBusyAfterMaxKeyWaitAndChangesNothing(bool isOutside)
    {
        await using var cluster = Single();
        var carts = new StateClient<string, Cart>(Hooked, isOutside ? cluster.Client : cluster[0].Router);
        await carts.PutAsync("held", new Cart { Owner = "0" });
        var runs = 0;
        var hook = AddHook(_ =>
        {
            var owner = $"{++runs}";
            Task.Run(async () => await carts.PutAsync("held", new Cart { Owner = owner })).Wait(Bound);
            cluster.Manual.Advance(TimeSpan.FromSeconds(0.5));
        });
        var error = await Assert.ThrowsAsync<StateBusyException>(
            async () => await carts.UpdateAsync("held", new CallHook(hook)));
        Assert.Contains("MaxKeyWait", error.Message, StringComparison.Ordinal);
        Assert.Equal(10, runs);
        Assert.Equal("10", (await carts.GetAsync("held"))!.Owner);
    }

    [Fact]
    public async Task UpdateAsync_CancelledBeforeItRunsAgain_ChangesNothing()
    {
        await using var cluster = Single();
        using var cancel = new CancellationTokenSource();
        var carts = new StateClient<string, Cart>(Hooked, cluster[0].Router);
        await carts.PutAsync("held", new Cart { Owner = "before" });
        var hook = AddHook(_ =>
        {
            Task.Run(async () => await carts.PutAsync("held", new Cart { Owner = "other" })).Wait(Bound);
            cancel.Cancel();
        });
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await carts.UpdateAsync("held", new CallHook(hook), cancel.Token));
        Assert.Equal("other", (await carts.GetAsync("held"))!.Owner);
    }

    [Fact]
    public async Task UpdateAsync_PartitionMovesMeanwhile_TakesEffectOnceAtTheNewOwner()
    {
        await using var run = new HookRun(nodes: 2);
        var update = run.Start();
        var target = run.Cluster.OtherThan(run.Cluster.OwnerOf(default));
        await run.Cluster.MoveAsync(default, target);
        run.Open();
        await run.Cluster.RunAsync(update);
        Assert.Equal(2, await update);
        Assert.Equal(["before", "before"], run.Seen);
        Assert.Equal("before+hook", (await run.Carts.GetAsync("held"))!.Owner);
        Assert.Equal(1, target.Describe(default)!.Entries);
    }

    [Fact]
    public async Task UpdateAsync_PartitionLostMeanwhile_StoresNothingAtTheOldOwner()
    {
        await using var run = new HookRun(nodes: 2);
        var update = run.Start();
        var (source, slot) = (run.Cluster.OwnerOf(default), run.Cluster.OwnerOf(default).Member.Slot);
        run.Cluster.Change(table => table.WithMember(table.FindMember(slot)! with { State = MemberState.Gone }));
        await run.Cluster.UntilAsync(() => run.Cluster.Table[default].LossCount == 1 && source.RecordCount == 0);
        run.Open();
        await run.Cluster.RunAsync(update);
        await update;
        Assert.Equal(["before", null], run.Seen);
        Assert.Equal(0, source.RecordCount);
        Assert.Equal("+hook", (await run.Carts.GetAsync("held"))!.Owner);
    }

    [Fact]
    public async Task Apply_UsesAState_IsRefused()
    {
        await using var cluster = Single();
        var carts = new StateClient<string, Cart>(Hooked, cluster[0].Router);
        var hook = AddHook(_ => carts.GetAsync("b").AsTask().GetAwaiter().GetResult());
        var error = await Assert.ThrowsAsync<InvalidOperationException>(
            async () => await carts.UpdateAsync("a", new CallHook(hook)));
        Assert.Contains("from inside a state operation", error.Message, StringComparison.Ordinal);
        Assert.Null(await carts.GetAsync("a"));
    }

    private static SimulatedCluster Single() => new(nodes: 1, partitions: 1, new StateCatalog([Hooked]));

    // An operation travels as bytes, so it finds the test's code by a number.
    private static int AddHook(Action<string?> hook)
    {
        var number = Interlocked.Increment(ref _lastHook);
        Hooks[number] = hook;
        return number;
    }

    /// <summary>Calls the hook of a test with the owner that it sees, and then adds to the owner.</summary>
    public sealed class CallHook(int number) : IStateOperation<Cart, int>
    {
        public int Apply(ref Cart? state, in OperationContext context)
        {
            Hooks[number](state?.Owner);
            state = new Cart { Owner = state?.Owner + "+hook" };
            return 2;
        }
    }

    /// <summary>An operation on the key "held" waits until the test opens it.</summary>
    private sealed class HookRun : IAsyncDisposable
    {
        private readonly ManualResetEventSlim _opening = new();
        private readonly ConcurrentQueue<string?> _seen = new();

        public HookRun(int nodes)
        {
            Cluster = new SimulatedCluster(nodes, partitions: 1, new StateCatalog([Hooked]));
            Carts = new StateClient<string, Cart>(Hooked, Cluster.OwnerOf(default).Router);
        }

        public SimulatedCluster Cluster { get; }

        public StateClient<string, Cart> Carts { get; }

        public IEnumerable<string?> Seen => _seen;

        /// <summary>Starts the operation, and returns when it runs.</summary>
        public Task<int> Start()
        {
            using var entered = new ManualResetEventSlim();
            var hook = AddHook(owner =>
            {
                _seen.Enqueue(owner);
                if (_seen.Count == 1)
                    entered.Set();
                Assert.True(_opening.Wait(Bound));
            });
            var update = Task.Run(async () =>
            {
                await Carts.PutAsync("held", new Cart { Owner = "before" });
                return await Carts.UpdateAsync("held", new CallHook(hook));
            });
            Assert.True(entered.Wait(Bound));
            return update;
        }

        public void Open() => _opening.Set();

        public ValueTask DisposeAsync()
        {
            Open();
            return Cluster.DisposeAsync();
        }
    }
}
