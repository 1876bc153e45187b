using Cluster.Contracts;
using Cluster.Nodes.Consul.Client;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>The Consul server stops and starts again.</summary>
public sealed class ConsulServerLossTests : IDisposable
{
    private const string ClusterName = "shop";
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(60);

    private readonly LogRecorder _logs = new();

    private static CancellationToken None => CancellationToken.None;

    public void Dispose() => _logs.Dispose();

    /// <summary>Its agent has forgotten the node, so the next beat registers the node again.</summary>
    [ConsulFact]
    [Trait("Case", "glue-83")]
    public async Task Server_StoppedAndStartedAgain_FailsWithinDeadlinesAndThenGoesOn()
    {
        _logs.Allow(5802);
        await using var server = await ConsulServer.StartAsync();

        // Long enough for calls that succeed on a busy machine, and short enough to wait for calls that time out.
        var budget = TimeSpan.FromSeconds(5);
        await using var store = Open(server.Address, TestWaitBudget.Long with { Beat = budget, Call = budget });
        await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
        var node = NodeId.NewIncarnation("a");
        var registration = await store.RegisterAsync(node, "http://127.0.0.1:5001", None);
        var lease = await store.TryAcquireCoordinatorAsync(node, None);
        var proposal = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));

        await server.StopAsync();
        await Task.WhenAll(
            CheckUnreachableAsync(() => registration.BeatAsync(None).AsTask()),
            CheckUnreachableAsync(() => store.CompareAndSwapAsync(proposal, null, None).AsTask()),
            CheckUnreachableAsync(() => store.ReadTableAsync(TableConsistency.Stale, None).AsTask()),
            CheckUnreachableAsync(() => store.WaitForChangeAsync(1, None).AsTask()),
            CheckUnreachableAsync(() => lease!.IsHeldAsync(None).AsTask()));

        server.ForgetServices();
        await server.StartAgainAsync();
        await Eventually.TrueAsync(() => SucceedsAsync(() => registration.BeatAsync(None).AsTask()), Bound);
        Assert.Contains(node.Incarnation.ToString("N"), await ServicesAsync(server), StringComparison.Ordinal);
        await Eventually.TrueAsync(
            () => SucceedsAsync(
                async () => Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(proposal, null, None))),
            Bound);
        await Eventually.TrueAsync(
            () => SucceedsAsync(async () => Assert.Equal(2, (await store.WaitForChangeAsync(1, None)).Version)), Bound);
    }

    /// <summary>The indexes of an empty server begin anew. A poll with the last one of the former life would wait for
    /// its whole time, and see nothing.</summary>
    [ConsulFact]
    [Trait("Case", "experience-X5")]
    public async Task Server_StartedAgainEmpty_IsSeenBeforeALongPollEnds()
    {
        await using var server = await ConsulServer.StartAsync();
        await using var store = Open(server.Address);
        await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
        for (var number = 0; number < 100; number++)
            await server.PutAsync("/v1/kv/other", "raises the index");
        await store.CompareAndSwapAsync(StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)), null, None);
        Assert.Equal(2, (await store.WaitForChangeAsync(1, None)).Version);

        await server.StopAsync();
        await CheckUnreachableAsync(() => store.WaitForChangeAsync(2, None).AsTask());
        server.ForgetEverything();
        await server.StartAgainAsync();
        ClusterStoreException? seen = null;
        await Eventually.TrueAsync(
            async () =>
            {
                seen = await Assert.ThrowsAsync<ClusterStoreException>(
                    () => store.WaitForChangeAsync(2, None).AsTask().WaitAsync(ConsulLimits.PollWait / 2));
                return seen.Kind != ClusterStoreError.Unreachable;
            },
            Bound);
        Assert.Equal(ClusterStoreError.Emptied, seen!.Kind);
    }

    [ConsulFact]
    public async Task Server_Gone_WatchersPauseLongerAndLonger()
    {
        await using var server = await ConsulServer.StartAsync();
        var time = new ManualTimeProvider();
        await using var store = Open(server.Address, TestWaitBudget.Long, time);
        await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
        await server.StopAsync();
        using var stop = new CancellationTokenSource();
        var attempts = 0;
        var asking = AskForeverAsync();

        // Between two attempts the next timer is the pause, which is shorter than the deadline of a poll.
        while (time.Elapsed < TimeSpan.FromSeconds(4))
        {
            await Eventually.TrueAsync(() => time.UntilNextTimer <= ConsulLimits.PollDelayMax, Bound);
            time.Advance(time.UntilNextTimer!.Value);
        }

        await stop.CancelAsync();
        await asking.WaitAsync(Bound);
        Assert.InRange(attempts, 4, 12);

        // The worst caller asks again at once after each failure.
        async Task AskForeverAsync()
        {
            while (!stop.IsCancellationRequested)
            {
                try
                {
                    await store.WaitForChangeAsync(1, stop.Token);
                }
                catch (ClusterStoreException)
                {
                    Interlocked.Increment(ref attempts);
                }
                catch (OperationCanceledException)
                {
                    break;
                }
            }
        }
    }

    [ConsulFact]
    [Trait("Case", "glue-83")]
    public async Task Service_DeregisteredByAnOperator_IsRegisteredAgainByTheNextBeat()
    {
        _logs.Allow(5802);
        await using var server = await ConsulServer.StartAsync();
        await using var store = Open(server.Address);
        await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
        var node = NodeId.NewIncarnation("a");
        var registration = await store.RegisterAsync(node, "http://127.0.0.1:5001", None);
        var service = $"cluster-{ClusterName}-{node.Incarnation:N}";
        await server.PutAsync($"/v1/agent/service/deregister/{service}");

        await registration.BeatAsync(None);

        Assert.Contains(service, await ServicesAsync(server), StringComparison.Ordinal);
        Assert.Single(_logs.Entries, entry => entry.Event.Id == 5802);
        await using (await store.TryAcquireCoordinatorAsync(node, None))
            await registration.BeatAsync(None);

        await registration.DisposeAsync();
        Assert.DoesNotContain(service, await ServicesAsync(server), StringComparison.Ordinal);
    }

    [ConsulFact]
    public async Task Lease_HolderStopsBeating_GoesToAnotherNode()
    {
        await using var server = await ConsulServer.StartAsync();
        await using var mute = Open(server.Address, TestWaitBudget.Long with { CheckTimeToLive = TimeSpan.FromSeconds(10) });
        await using var store = Open(server.Address);
        await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
        var (silent, lively) = (NodeId.NewIncarnation("a"), NodeId.NewIncarnation("b"));
        await using var registration = await store.RegisterAsync(lively, "http://127.0.0.1:5002", None);
        await using var forgotten = await mute.RegisterAsync(silent, "http://127.0.0.1:5001", None);
        var lost = await mute.TryAcquireCoordinatorAsync(silent, None);
        ICoordinatorLease? next = null;

        await Eventually.TrueAsync(
            async () =>
            {
                await registration.BeatAsync(None);
                return (next = await store.TryAcquireCoordinatorAsync(lively, None)) is not null;
            },
            Bound);

        Assert.False(await lost!.IsHeldAsync(None));
        Assert.True(await next!.IsHeldAsync(None));
        var proposal = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        Assert.Equal(SwapOutcome.LeaseLost, await mute.CompareAndSwapAsync(proposal, lost, None));
        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(proposal, next, None));
    }

    [ConsulFact]
    public async Task Keys_LeftOverWithoutProperties_AreNotOverwritten()
    {
        await using var server = await ConsulServer.StartAsync();
        await using var store = Open(server.Address);
        await server.PutAsync($"/v1/kv/cluster/{ClusterName}/version", "12");

        var failure = await Assert.ThrowsAsync<ClusterStoreException>(
            () => store.CreateAsync(StoreTables.NewMeta(ClusterName), None).AsTask());
        Assert.Equal(ClusterStoreError.Incompatible, failure.Kind);
        Assert.Null(await store.ReadMetaAsync(None));
    }

    [ConsulFact]
    public async Task Keys_ChangedBySomethingElse_AreRefused()
    {
        await using var server = await ConsulServer.StartAsync();
        await using var store = Open(server.Address);
        await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);

        await server.PutAsync($"/v1/kv/cluster/{ClusterName}/version", "12");
        await CheckIncompatibleAsync(() => store.ReadTableAsync(TableConsistency.Consistent, None).AsTask());
        await server.PutAsync($"/v1/kv/cluster/{ClusterName}/version", "one");
        await CheckIncompatibleAsync(() => store.WaitForChangeAsync(1, None).AsTask());
        await server.PutAsync($"/v1/kv/cluster/{ClusterName}/version", "1");
        await server.PutAsync($"/v1/kv/cluster/{ClusterName}/table", "something else");
        await CheckIncompatibleAsync(() => store.ReadTableAsync(TableConsistency.Consistent, None).AsTask());
        await server.PutAsync($"/v1/kv/cluster/{ClusterName}/meta", "{}");
        await CheckIncompatibleAsync(() => store.ReadMetaAsync(None).AsTask());

        static async Task CheckIncompatibleAsync(Func<Task> operation) =>
            Assert.Equal(ClusterStoreError.Incompatible, (await Assert.ThrowsAsync<ClusterStoreException>(operation)).Kind);
    }

    private static async Task<string> ServicesAsync(ConsulServer server) =>
        (await server.GetAsync("/v1/agent/services")).GetRawText();

    private ConsulClusterStore Open(string address, ConsulWaitBudget? budget = null, TimeProvider? time = null) =>
        ConsulClusterStore.Create(
            ClusterName, new ConsulOptions { Address = address }, budget ?? TestWaitBudget.Long,
            time ?? TimeProvider.System, _logs.Factory);

    private static async Task CheckUnreachableAsync(Func<Task> operation)
    {
        var failure = await Assert.ThrowsAsync<ClusterStoreException>(() => operation().WaitAsync(Bound));
        Assert.Equal(ClusterStoreError.Unreachable, failure.Kind);
    }

    private static async ValueTask<bool> SucceedsAsync(Func<Task> operation)
    {
        try
        {
            await operation();
            return true;
        }
        catch (ClusterStoreException failure) when (failure.Kind == ClusterStoreError.Unreachable)
        {
            return false;
        }
    }
}
