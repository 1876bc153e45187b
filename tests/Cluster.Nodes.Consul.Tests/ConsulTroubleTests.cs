using System.Diagnostics;
using Cluster.Contracts;
using Cluster.Nodes.Consul.Client;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Partitions;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>What the store makes of answers that a Consul gives only in trouble, and of answers that are lost.</summary>
[Collection(SharedConsul.Name)]
public sealed class ConsulTroubleTests(ConsulServerFixture fixture) : IDisposable
{
    private const string ClusterName = "shop";
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);

    private readonly LogRecorder _logs = new();

    private static CancellationToken None => CancellationToken.None;

    public void Dispose() => _logs.Dispose();

    [Theory]
    [InlineData(429, "Too many requests")]
    [InlineData(500, "No cluster leader")]
    [InlineData(500, "rpc error making call: EOF")]
    [InlineData(503, "")]
    public async Task Read_TemporaryTrouble_IsAskedAgainUntilItWorks(int status, string text)
    {
        await using var consul = await ScriptedConsul.StartAsync(
            (context, number) => ScriptedConsul.ReplyAsync(context, number < 3 ? status : 404, text));
        await using var store = Open(consul);

        Assert.Null(await store.ReadMetaAsync(None));
        Assert.Equal(3, consul.RequestCount);
    }

    [Fact]
    public async Task Read_LastingTrouble_IsUnreachableWithinTheDeadlineAndWithoutAHotLoop()
    {
        await using var consul = await ScriptedConsul.StartAsync(
            (context, _) => ScriptedConsul.ReplyAsync(context, 500, "No cluster leader"));
        await using var store = Open(consul);

        var failure = await CheckUnreachableAsync(() => store.ReadMetaAsync(None).AsTask());
        Assert.Contains("No cluster leader", failure.Message, StringComparison.Ordinal);
        Assert.InRange(consul.RequestCount, 2, 20);
    }

    [Fact]
    public async Task Calls_NeverAnswered_EndAtTheirDeadlines()
    {
        await using var consul = await ScriptedConsul.StartAsync(
            (context, _) => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, context.RequestAborted));
        await using var store = Open(consul);

        await CheckUnreachableAsync(() => store.ReadMetaAsync(None).AsTask());
        await CheckUnreachableAsync(() => store.ReadTableAsync(TableConsistency.Stale, None).AsTask());
        var proposal = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        await CheckUnreachableAsync(() => store.CompareAndSwapAsync(proposal, null, None).AsTask());
        await CheckUnreachableAsync(
            () => store.RegisterAsync(NodeId.NewIncarnation("a"), "http://127.0.0.1:1", None).AsTask());
    }

    [Fact]
    public async Task Read_CancelledWhileWaiting_EndsAsCancelled()
    {
        await using var consul = await ScriptedConsul.StartAsync(
            (context, _) => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, context.RequestAborted));
        await using var store = Open(consul);
        using var stop = new CancellationTokenSource();
        var reading = store.ReadMetaAsync(stop.Token).AsTask();
        await Eventually.TrueAsync(() => consul.RequestCount == 1, Bound);

        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.WaitAsync(Bound));
    }

    [Fact]
    public async Task Wait_StoreClosedMeanwhile_EndsAsDisposed()
    {
        await using var consul = await ScriptedConsul.StartAsync(
            (context, _) => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, context.RequestAborted));
        var store = Open(consul);
        var waiting = store.WaitForChangeAsync(1, None).AsTask();
        await Eventually.TrueAsync(() => consul.RequestCount == 1, Bound);

        await store.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(Bound));
    }

    [Theory]
    [InlineData(200, "<html>not Consul</html>")]
    [InlineData(200, "[]")]
    [InlineData(302, "")]
    [InlineData(500, "disk full")]
    public async Task Read_AnswerOfSomethingElse_SaysSo(int status, string text)
    {
        await using var consul = await ScriptedConsul.StartAsync(
            (context, _) => ScriptedConsul.ReplyAsync(context, status, text));
        await using var store = Open(consul);

        var failure = await CheckUnreachableAsync(() => store.ReadMetaAsync(None).AsTask());
        Assert.Contains("Cluster:Consul:Address", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_IndexGoesBackwards_StartsOverAndStillFindsTheChange()
    {
        // 1: the first look. 2: a poll that ends without a change, its index older than before, as after a restored snapshot.
        // 3: must be a look without an index, because any other would wait for an index that is far ahead.
        var asked = new List<string>();
        await using var consul = await ScriptedConsul.StartAsync((context, number) =>
        {
            lock (asked) asked.Add(context.Request.QueryString.Value!);
            return number switch
            {
                1 => ScriptedConsul.ReplyAsync(context, 200, "7", index: 500),
                2 => ScriptedConsul.ReplyAsync(context, 200, "7", index: 20),
                _ => ScriptedConsul.ReplyAsync(context, 200, "8", index: 30),
            };
        });
        await using var store = Open(consul);

        Assert.Equal(8, await store.WaitForChangeAsync(7, None).AsTask().WaitAsync(Bound));
        Assert.DoesNotContain("index", asked[0], StringComparison.Ordinal);
        Assert.Contains("index=500", asked[1], StringComparison.Ordinal);
        Assert.DoesNotContain("index", asked[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_AnsweredAtOnceWithoutAChange_IsPaced()
    {
        await using var consul = await ScriptedConsul.StartAsync(
            (context, _) => ScriptedConsul.ReplyAsync(context, 200, "7", index: 500));
        await using var store = Open(consul);
        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(2));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => store.WaitForChangeAsync(7, stop.Token).AsTask());
        Assert.InRange(
            consul.RequestCount, ConsulLimits.PollBurst, ConsulLimits.PollBurst + (3 * ConsulLimits.PollsPerSecond));
    }

    [ConsulFact]
    public async Task Swap_AnswerLost_IsRecognisedByItsNonce()
    {
        var losses = 1;
        await using var proxy = await ScriptedConsul.StartAsync((context, _) =>
        {
            // Reads of a table are transactions too, but name how consistent they must be.
            var isWrite = context.Request.Path == "/v1/txn" && !context.Request.QueryString.HasValue;
            return ScriptedConsul.ForwardAsync(
                context, fixture.Server.Address, isWrite && Interlocked.Exchange(ref losses, 0) == 1);
        });
        var name = $"c-{Guid.NewGuid():N}"[..14];
        await using var direct = Open(fixture.Server.Address, name);
        await direct.CreateAsync(StoreTables.NewMeta(name), None);
        await using var store = Open(proxy.Address, name);
        var proposal = StoreTables.WithNewMember(await store.ReadTableAsync(TableConsistency.Consistent, None));

        Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(proposal, null, None));
        Assert.Equal(0, losses);
        StoreTables.CheckSame(proposal, await direct.ReadTableAsync(TableConsistency.Consistent, None));
    }

    private ConsulClusterStore Open(ScriptedConsul consul) => Open(consul.Address, ClusterName);

    private ConsulClusterStore Open(string address, string name) =>
        ConsulClusterStore.Create(name, new ConsulOptions { Address = address }, TimeProvider.System, _logs.Factory);

    private static async Task<ClusterStoreException> CheckUnreachableAsync(Func<Task> operation)
    {
        var started = Stopwatch.GetTimestamp();
        var failure = await Assert.ThrowsAsync<ClusterStoreException>(operation);
        Assert.Equal(ClusterStoreError.Unreachable, failure.Kind);
        Assert.DoesNotContain('\n', failure.Message);

        // Generous: the machine may be busy. What counts is that the end does not depend on Consul.
        Assert.InRange(Stopwatch.GetElapsedTime(started), TimeSpan.Zero, ConsulLimits.CallDeadline + TimeSpan.FromSeconds(8));
        return failure;
    }
}
