using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Local;
using Cluster.Testing;

namespace Cluster.StateStore.Tests.Local;

/// <summary>Many writers on few keys: operations are atomic per key, waits are bounded, and no operation waits for
/// another key.</summary>
public sealed class UpdateConcurrencyTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private static StateDefinition<string, Cart> Gated { get; } =
        StateDefinition.Create<string, Cart>("gated", s => s.AllowOperation<PassGate>());

    [Fact]
    public async Task UpdateAsync_ManyWritersOnOneKey_LoseNoIncrement()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 2, TimeProvider.System);
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
        await using var cluster = new SimulatedCluster(nodes: 1, partitions: 1, TimeProvider.System);
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
    public async Task UpdateAsync_OperationHoldsItsKey_OtherKeysAndReadsGoOn()
    {
        await using var run = await GateRun.StartAsync(TimeProvider.System);
        Assert.Equal("before", (await run.Carts.GetAsync("held"))!.Owner);
        await run.Carts.PutAsync("free", new Cart());
        Assert.Equal(1, await run.Carts.UpdateAsync("free", new PassGate(0)));
        var waiting = run.Carts.PutAsync("held", new Cart { Owner = "after" }).AsTask();
        Assert.False(waiting.IsCompleted);
        await run.OpenAsync();
        await waiting.WaitAsync(Bound, TimeProvider.System);
        Assert.Equal("after", (await run.Carts.GetAsync("held"))!.Owner);
    }

    [Fact]
    public async Task PutAsync_KeyHeldTooLong_IsBusyAndChangesNothing()
    {
        await using var run = await GateRun.StartAsync(new ManualTimeProvider());
        var write = run.Carts.PutAsync("held", new Cart { Owner = "late" }).AsTask();
        await run.Cluster.Manual.WaitForTimersAsync();
        run.Cluster.Manual.Advance(TimeSpan.FromSeconds(5));
        await Assert.ThrowsAsync<StateBusyException>(() => write);
        var outside = new StateClient<string, Cart>(Gated, run.Cluster.Client).RemoveAsync("held").AsTask();
        await run.Cluster.Manual.WaitForTimersAsync();
        run.Cluster.Manual.Advance(TimeSpan.FromSeconds(5));
        var error = await Assert.ThrowsAsync<StateBusyException>(() => outside);
        Assert.Contains("MaxKeyWait", error.Message, StringComparison.Ordinal);
        await run.OpenAsync();
        Assert.Equal("gate", (await run.Carts.GetAsync("held"))!.Owner);
    }

    [Fact]
    public async Task PutAsync_CancelledWhileItWaits_LeavesTheKeyUsable()
    {
        await using var run = await GateRun.StartAsync(TimeProvider.System);
        using var cancel = new CancellationTokenSource();
        var cancelled = run.Carts.PutAsync("held", new Cart(), cancellationToken: cancel.Token).AsTask();
        var patient = run.Carts.PutAsync("held", new Cart { Owner = "patient" }).AsTask();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);
        await run.OpenAsync();
        await patient.WaitAsync(Bound, TimeProvider.System);
        Assert.Equal("patient", (await run.Carts.GetAsync("held"))!.Owner);
    }

    [Fact]
    public async Task PutAsync_TooManyWaiters_IsBusyAtOnce()
    {
        await using var run = await GateRun.StartAsync(TimeProvider.System);
        var waiting = Enumerable.Range(0, KeyHolds.WaitersMax)
            .Select(_ => run.Carts.PutAsync("held", new Cart()).AsTask()).ToArray();
        await Assert.ThrowsAsync<StateBusyException>(async () => await run.Carts.RemoveAsync("held"));
        await run.OpenAsync();
        await Task.WhenAll(waiting).WaitAsync(Bound, TimeProvider.System);
    }

    [Fact]
    public async Task SealAsync_OperationRuns_WaitsForItAndSendsWritersAway()
    {
        await using var run = await GateRun.StartAsync(TimeProvider.System);
        var write = run.Carts.PutAsync("held", new Cart { Owner = "after" }).AsTask();
        var seal = run.Cluster[0].Store.SealAsync(default, CancellationToken.None).AsTask();
        Assert.False(seal.IsCompleted);
        await run.OpenAsync();
        await seal.WaitAsync(Bound, TimeProvider.System);
        Assert.False(write.IsCompleted);
        run.Cluster[0].Store.Unseal(default);
        await write.WaitAsync(Bound, TimeProvider.System);
        Assert.Equal("after", (await run.Carts.GetAsync("held"))!.Owner);
    }

    [Fact]
    public async Task SealAsync_OperationRunsTooLong_SaysSoAndStaysSealed()
    {
        await using var run = await GateRun.StartAsync(new ManualTimeProvider());
        var seal = run.Cluster[0].Store.SealAsync(default, CancellationToken.None).AsTask();
        await run.Cluster.Manual.WaitForTimersAsync();
        run.Cluster.Manual.Advance(TimeSpan.FromSeconds(5));
        await Assert.ThrowsAsync<StateBusyException>(() => seal);
        Assert.Equal(PartitionState.Sealed, run.Cluster[0].Store.GetStatistics(default).State);
        await run.OpenAsync();
        run.Cluster[0].Store.Unseal(default);
        Assert.Equal("gate", (await run.Carts.GetAsync("held"))!.Owner);
    }

    [Fact]
    public async Task Drop_OperationRuns_ItsResultIsNotStored()
    {
        await using var run = await GateRun.StartAsync(TimeProvider.System);
        var store = run.Cluster[0].Store;
        store.Drop(default);
        store.Serve(default, new Epoch(2));
        run.Gate.Opening.Set();
        await Eventually.TrueAsync(() => run.Gate.PassCount == 1, Bound);
        Assert.Equal(0, store.GetStatistics(default).Entries);
        Assert.Equal(0, run.Cluster[0].Pile.GetStatistics().Objects);
    }

    [Fact]
    public async Task Apply_UsesAState_IsRefused()
    {
        await using var cluster = new SimulatedCluster(nodes: 1, partitions: 1);
        var error = await Assert.ThrowsAsync<InvalidOperationException>(async () =>
            await cluster[0].Carts.UpdateAsync("a", new UseState(UseState.Offer(cluster[0].Carts))));
        Assert.Contains("from inside a state operation", error.Message, StringComparison.Ordinal);
        Assert.Null(await cluster[0].Carts.GetAsync("a"));
    }

    /// <summary>A gate at which the operations of one test wait, so that the test decides how long they run.</summary>
    private sealed class Gate : IDisposable
    {
        public static readonly System.Collections.Concurrent.ConcurrentDictionary<int, Gate> All = new();

        public readonly ManualResetEventSlim Opening = new();

        public int EnterCount;

        public int PassCount;

        public void Dispose() => Opening.Dispose();
    }

    /// <summary>Waits at the gate with its number and then sets itself as the cart's owner. With number zero it does
    /// not wait.</summary>
    public sealed class PassGate(int number) : IStateOperation<Cart, int>
    {
        public int Apply(ref Cart? state, in OperationContext context)
        {
            if (number != 0)
            {
                var gate = Gate.All[number];
                Interlocked.Increment(ref gate.EnterCount);
                Assert.True(gate.Opening.Wait(Bound));
                Interlocked.Increment(ref gate.PassCount);
            }

            state = new Cart { Owner = "gate" };
            return 1;
        }
    }

    /// <summary>Uses a state inside an operation, which is forbidden.</summary>
    public sealed class UseState(int number) : IStateOperation<Cart, int>
    {
        private static readonly System.Collections.Concurrent.ConcurrentDictionary<int, IPartitionedState<string, Cart>> All =
            new();

        /// <summary>An operation travels as bytes, so it finds the state by a number.</summary>
        internal static int Offer(IPartitionedState<string, Cart> carts)
        {
            var number = All.Count;
            All[number] = carts;
            return number;
        }

        public int Apply(ref Cart? state, in OperationContext context)
        {
            state = new Cart();
            return All[number].GetAsync("b").AsTask().GetAwaiter().GetResult() is null ? 1 : 0;
        }
    }

    /// <summary>A node on which an operation holds the key "held" until the gate is opened.</summary>
    private sealed class GateRun : IAsyncDisposable
    {
        private static int _lastNumber;
        private readonly Task _update;

        private GateRun(SimulatedCluster cluster)
        {
            Cluster = cluster;
            var number = Interlocked.Increment(ref _lastNumber);
            Gate.All[number] = Gate = new Gate();
            Carts = new StateClient<string, Cart>(Gated, cluster[0].Router);
            _update = Task.Run(async () => await Carts.UpdateAsync("held", new PassGate(number)));
        }

        public SimulatedCluster Cluster { get; }

        public StateClient<string, Cart> Carts { get; }

        public Gate Gate { get; }

        public async ValueTask DisposeAsync()
        {
            Gate.Opening.Set();
            try
            {
                // If the partition was dropped, the update looks for a new owner until its deadline. No test waits that
                // long.
                await Task.WhenAny(_update, Task.Delay(TimeSpan.FromMilliseconds(100), TimeProvider.System));
            }
            finally
            {
                await Cluster.DisposeAsync();
            }
        }

        public static async Task<GateRun> StartAsync(TimeProvider time)
        {
            var cluster = new SimulatedCluster(nodes: 1, partitions: 1, time, new StateCatalog([Gated]));
            await new StateClient<string, Cart>(Gated, cluster[0].Router).PutAsync("held", new Cart { Owner = "before" });
            var run = new GateRun(cluster);
            await Eventually.TrueAsync(() => Volatile.Read(ref run.Gate.EnterCount) == 1, Bound);
            return run;
        }

        public async Task OpenAsync()
        {
            Gate.Opening.Set();
            await _update.WaitAsync(Bound, TimeProvider.System);
        }
    }
}
