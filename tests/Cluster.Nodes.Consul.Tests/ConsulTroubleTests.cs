using Cluster.Contracts;
using Cluster.Nodes.Consul.Client;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>The store's reaction to answers that Consul gives only in trouble, and to answers that are lost.</summary>
[Collection(SharedConsul.Name)]
public sealed class ConsulTroubleTests(ConsulServerFixture fixture) : IDisposable
{
    private const string ClusterName = "shop";
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

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
        var time = new ManualTimeProvider();
        await using var store = Open(consul.Address, ClusterName, ConsulWaitBudget.Default, time);

        var reading = store.ReadMetaAsync(None).AsTask();
        await Eventually.TrueAsync(() => time.UntilNextTimer <= ConsulLimits.RetryDelayMax, Bound, "the first pause");
        time.Advance(time.UntilNextTimer!.Value);
        await Eventually.TrueAsync(() => consul.RequestCount == 2, Bound);
        time.Advance(ConsulLimits.CallDeadline);

        var failure = await CheckUnreachableAsync(reading);
        Assert.Contains("No cluster leader", failure.Message, StringComparison.Ordinal);
        Assert.InRange(consul.RequestCount, 2, 20);
    }

    [Fact]
    public async Task Calls_NeverAnswered_EndAtTheirDeadlines()
    {
        await using var consul = await ScriptedConsul.StartAsync(
            (context, _) => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, context.RequestAborted));
        var time = new ManualTimeProvider();
        await using var store = Open(consul.Address, ClusterName, ConsulWaitBudget.Default, time);

        await CheckLateAsync(() => store.ReadMetaAsync(None).AsTask());
        await CheckLateAsync(() => store.ReadTableAsync(TableConsistency.Stale, None).AsTask());
        var proposal = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
        await CheckLateAsync(() => store.CompareAndSwapAsync(proposal, null, None).AsTask());
        await CheckLateAsync(
            () => store.RegisterAsync(NodeId.NewIncarnation("a"), "http://127.0.0.1:1", None).AsTask());

        async Task CheckLateAsync(Func<Task> operation)
        {
            var requests = consul.RequestCount;
            var running = operation();
            await Eventually.TrueAsync(() => consul.RequestCount > requests, Bound);
            Assert.False(running.IsCompleted);
            time.Advance(ConsulLimits.CallDeadline);
            await CheckUnreachableAsync(running);
        }
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

        var failure = await CheckUnreachableAsync(store.ReadMetaAsync(None).AsTask());
        Assert.Contains("Cluster:Consul:Address", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Case", "repair-A10")]
    [InlineData(403, "{0}")]
    [InlineData(418, "{0}")]
    [InlineData(409, "{{\"Errors\":[{{\"OpIndex\":0,\"What\":\"Permission denied {0}\"}}]}}")]
    public async Task Words_WithLineBreaks_StayOnTheLineOfTheMessage(int status, string answer)
    {
        var words = status == 409 ? @"one\nERROR forged\u001b[31m" : "one\nERROR forged\u001b[31m";
        var text = string.Format(System.Globalization.CultureInfo.InvariantCulture, answer, words);
        await using var consul = await ScriptedConsul.StartAsync(
            (context, _) => ScriptedConsul.ReplyAsync(context, status, text));
        await using var store = Open(consul);

        var failure = await Assert.ThrowsAsync<ClusterStoreException>(
            () => store.ReadTableAsync(TableConsistency.Consistent, None).AsTask());
        Assert.DoesNotContain(failure.Message, char.IsControl);
        Assert.Contains(@"one\nERROR forged\u001B", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "glue-85")]
    public async Task Wait_IndexGoesBackwards_StartsOverAndStillFindsTheChange()
    {
        // Request 1 is the first read. Request 2 is a poll that ends without a change but with an older index, as after
        // a restored snapshot. Request 3 must be a read without an index: a request with the old index would wait until
        // that index is reached again.
        var asked = new List<string>();
        await using var consul = await ScriptedConsul.StartAsync((context, number) =>
        {
            if (context.Request.Path == "/v1/txn")
                return ScriptedConsul.ReplyAsync(context, 200, StampOf(ClusterName, "8"));
            lock (asked)
                asked.Add(context.Request.QueryString.Value!);
            return number switch
            {
                1 => ScriptedConsul.ReplyAsync(context, 200, "7", index: 500),
                2 => ScriptedConsul.ReplyAsync(context, 200, "7", index: 20),
                _ => ScriptedConsul.ReplyAsync(context, 200, "8", index: 30),
            };
        });
        await using var store = Open(consul);

        Assert.Equal(8, (await store.WaitForChangeAsync(7, None).AsTask().WaitAsync(Bound)).Version);
        Assert.DoesNotContain("index", asked[0], StringComparison.Ordinal);
        Assert.Contains("index=500", asked[1], StringComparison.Ordinal);
        Assert.DoesNotContain("index", asked[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_AnsweredAtOnceWithoutAChange_IsPaced()
    {
        await using var consul = await ScriptedConsul.StartAsync(
            (context, _) => ScriptedConsul.ReplyAsync(context, 200, "7", index: 500));
        var time = new ManualTimeProvider();
        await using var store = Open(consul.Address, ClusterName, ConsulWaitBudget.Default, time);
        using var stop = new CancellationTokenSource();
        var waiting = store.WaitForChangeAsync(7, stop.Token).AsTask();
        var second = TimeSpan.FromSeconds(1);
        for (var round = 0; round < 2 * ConsulLimits.PollsPerSecond; round++)
        {
            // While a poll runs, the next timer is its deadline, which is further away.
            await Eventually.TrueAsync(
                () => consul.RequestCount == ConsulLimits.PollBurst + round && time.UntilNextTimer <= second, Bound);
            time.Advance(time.UntilNextTimer!.Value);
        }

        Assert.InRange(time.Elapsed, 1.99 * second, 2.01 * second);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Bound));
    }

    [ConsulFact]
    public async Task Swap_AnswerLost_IsRecognisedByItsNonce()
    {
        var losses = 1;
        await using var proxy = await ScriptedConsul.StartAsync((context, _) =>
        {
            // Reads of a table also use transactions, but their query names the consistency.
            var isWrite = context.Request.Path == "/v1/txn" && !context.Request.QueryString.HasValue;
            return ScriptedConsul.ForwardAsync(
                context, fixture.Server.Address, isWrite && Interlocked.Exchange(ref losses, 0) == 1,
                indexOffset: 0, context.RequestAborted);
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

    [ConsulFact]
    public async Task Read_ServerLagsBehindTheCreation_FindsTheTable() => await CheckLagAsync(
        "/v1/txn", 409, """{"Errors":[{"OpIndex":0,"What":"key doesn't exist"}]}""",
        async store => (await store.ReadTableAsync(TableConsistency.Stale, None)).Version);

    [ConsulFact]
    public async Task Wait_ServerLagsBehindTheCreation_FindsTheTable() => await CheckLagAsync(
        "/v1/kv", 404, "", async store => (await store.WaitForChangeAsync(-1, None)).Version);

    private ConsulClusterStore Open(ScriptedConsul consul) => Open(consul.Address, ClusterName);

    private ConsulClusterStore Open(string address, string name) =>
        Open(address, name, TestWaitBudget.Long, TimeProvider.System);

    private ConsulClusterStore Open(string address, string name, ConsulWaitBudget budget, TimeProvider time) =>
        ConsulClusterStore.Create(name, new ConsulOptions { Address = address }, budget, time, _logs.Factory);

    // The first answer is that of a server that has no keys yet; all later ones are those of the real Consul.
    private async Task CheckLagAsync(
        string path, int status, string text, Func<ConsulClusterStore, Task<long>> readVersion)
    {
        var answers = 1;
        await using var proxy = await ScriptedConsul.StartAsync((context, _) =>
            context.Request.Path.StartsWithSegments(path) && Interlocked.Exchange(ref answers, 0) == 1
                ? ScriptedConsul.ReplyAsync(context, status, text)
                : ScriptedConsul.ForwardAsync(
                    context, fixture.Server.Address, isAnswerLost: false, indexOffset: 0, context.RequestAborted));
        var name = $"c-{Guid.NewGuid():N}"[..14];
        await using var direct = Open(fixture.Server.Address, name);
        await direct.CreateAsync(StoreTables.NewMeta(name), None);
        await using var store = Open(proxy.Address, name);

        var expected = (await direct.ReadTableAsync(TableConsistency.Consistent, None)).Version;
        Assert.Equal(expected, await readVersion(store));
        Assert.Equal(0, answers);
    }

    private static async Task<ClusterStoreException> CheckUnreachableAsync(Task operation)
    {
        var failure = await Assert.ThrowsAsync<ClusterStoreException>(() => operation.WaitAsync(Bound));
        Assert.Equal(ClusterStoreError.Unreachable, failure.Kind);
        Assert.DoesNotContain('\n', failure.Message);
        return failure;
    }

    // Consul's answer to a transaction that reads the cluster's properties and the version of its table.
    private static string StampOf(string clusterName, string version)
    {
        var meta = Convert.ToBase64String(ClusterMetaCodec.Encode(StoreTables.NewMeta(clusterName)));
        var digits = Convert.ToBase64String(Encoding.ASCII.GetBytes(version));
        return $$$"""
            {"Results":[
            {"KV":{"Key":"cluster/{{{clusterName}}}/meta","Value":"{{{meta}}}","ModifyIndex":1}},
            {"KV":{"Key":"cluster/{{{clusterName}}}/version","Value":"{{{digits}}}","ModifyIndex":2}}]}
            """;
    }
}
