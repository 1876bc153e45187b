using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Strict reads, reads that may be old, and owners that are not heard, with a manual clock.</summary>
public sealed class StateReadsTests
{
    private static readonly TimeSpan Age = TimeSpan.FromSeconds(2);

    private static readonly StateDefinition<string, int?> Strict =
        StateDefinition.Create<string, int?>("strict", s => s.Reads = StateReads.Strict);

    private static readonly StateDefinition<string, int?> Old =
        StateDefinition.Create<string, int?>("old", s => s.Reads = StateReads.BoundedStale(Age));

    private static readonly StateCatalog Catalog = new([Strict, Old]);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [Trait("Case", "replica-reads")]
    public async Task Strict_GivesTheValue_AndAsksEachBackupOnce(int backups)
    {
        await using var cluster = new SimulatedCluster(nodes: 3, partitions: 1, catalog: Catalog, backups: backups);
        var owner = cluster.OwnerOf(cluster.PartitionOf(Strict, "k"));
        var state = new StateClient<string, int?>(Strict, owner.Router);
        await cluster.RunAsync(state.PutAsync("k", 7));
        cluster.Advance(TimeSpan.FromSeconds(1));
        var asked = 0;
        cluster.Network = (_, frame) =>
        {
            asked += frame[1] == (byte)FrameKind.Append ? 1 : 0;
            return [frame];
        };
        var reads = Enumerable.Range(0, 20).Select(_ => state.GetAsync("k").AsTask()).ToArray();
        await cluster.RunAsync(Task.WhenAll(reads));
        Assert.All(reads, read => Assert.Equal(7, read.Result));

        // The first read asks, and all that came meanwhile share the second question.
        Assert.InRange(asked, backups, 3 * backups);
    }

    [Fact]
    [Trait("Case", "replica-reads")]
    public async Task Strict_BackupSilent_IsNotAnsweredBeforeItIsOut()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1, catalog: Catalog, backups: 1);
        var owner = cluster.OwnerOf(cluster.PartitionOf(Strict, "k"));
        var (backup, state) = (cluster.OtherThan(owner), new StateClient<string, int?>(Strict, owner.Router));
        await cluster.RunAsync(state.PutAsync("k", 7));
        cluster.Advance(TimeSpan.FromSeconds(1));
        cluster.Network = (to, frame) => to == backup.Node ? [] : [frame];
        var read = state.GetAsync("k").AsTask();
        cluster.Advance(TimeSpan.FromSeconds(1));
        Assert.False(read.IsCompleted);
        await cluster.UntilAsync(() => cluster.Table[new PartitionId(0)].InSync.Count == 1);
        await cluster.RunAsync(read);
        Assert.Equal(7, await read);
    }

    [Fact]
    [Trait("Case", "replica-reads")]
    public async Task BoundedStale_BackupHere_AnswersWithoutACall_AndNeverOlderThanTheBound()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1, catalog: Catalog, backups: 1);
        var owner = cluster.OwnerOf(cluster.PartitionOf(Old, "k"));
        var here = new StateClient<string, int?>(Old, cluster.OtherThan(owner).Router);
        var there = new StateClient<string, int?>(Old, owner.Router);
        await cluster.RunAsync(there.PutAsync("k", 1));
        Assert.Equal(1, await cluster.RunAsync(here.GetAsync("k")));
        var calls = cluster.CallCount;
        for (var value = 2; value < 40; value++)
        {
            await cluster.RunAsync(there.PutAsync("k", value));
            cluster.Advance(TimeSpan.FromMilliseconds(300));
            var read = await cluster.RunAsync(here.GetAsync("k"));
            Assert.InRange(read!.Value, value - (int)(Age / TimeSpan.FromMilliseconds(300)) - 1, value);
        }

        Assert.Equal(calls, cluster.CallCount);
        cluster.Advance(Age + TimeSpan.FromMilliseconds(1));
        Assert.Equal(39, await cluster.RunAsync(here.GetAsync("k")));
        Assert.Null(await cluster.RunAsync(here.GetAsync("none")));
    }

    [Fact]
    [Trait("Case", "replica-reads")]
    public async Task BoundedStale_OwnerSilent_BackupAnswersUntilItIsTooOld()
    {
        await using var cluster = new SimulatedCluster(nodes: 3, partitions: 1, catalog: Catalog, backups: 1);
        var partition = cluster.PartitionOf(Old, "k");
        var owner = cluster.OwnerOf(partition);
        var backup = cluster.Nodes.Single(
            node => node != owner && cluster.Table[partition].InSync.Items.Contains(node.Member.Slot));
        var outside = cluster.Nodes.Single(node => node != owner && node != backup);
        var state = new StateClient<string, int?>(Old, backup.Router);
        await cluster.RunAsync(state.PutAsync("k", 7));
        Assert.Equal(7, await cluster.RunAsync(state.GetAsync("k")));
        cluster.Network = (to, frame) => to == owner.Node || IsOf(frame, owner) ? [] : [frame];
        cluster.BeforeCall = member =>
        {
            if (member.Node == owner.Node)
                throw new GlueException(
                    GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "Silent.");
        };
        Assert.Equal(7, await cluster.RunAsync(state.GetAsync("k")));

        // A node without a copy finds the backup, too.
        var far = new StateClient<string, int?>(Old, outside.Router);
        Assert.Equal(7, await cluster.RunAsync(far.GetAsync("k")));
        cluster.Advance(Age);
        var late = state.GetAsync("k").AsTask();
        cluster.Drain();
        Assert.False(late.IsCompleted);

        // The backup takes over, and then it answers again.
        await cluster.RunAsync(late);
        Assert.Equal(7, await late);
        Assert.Equal(backup, cluster.OwnerOf(partition));
    }

    [Fact]
    [Trait("Case", "replica-reads")]
    public async Task BoundedStale_SlidingWindow_StartsAnewWithEachRead()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1, catalog: Catalog, backups: 1);
        var owner = cluster.OwnerOf(cluster.PartitionOf(Old, "k"));
        var here = new StateClient<string, int?>(Old, cluster.OtherThan(owner).Router);
        await cluster.RunAsync(here.PutAsync("k", 1, StateExpiry.Sliding(4 * Age)));
        for (var access = 0; access < 6; access++)
        {
            cluster.Advance(3 * Age);
            Assert.Equal(1, await cluster.RunAsync(here.GetAsync("k")));
        }

        cluster.Advance(5 * Age);
        Assert.Null(await cluster.RunAsync(here.GetAsync("k")));
    }

    [Theory]
    [InlineData(WhenSuspected.Wait)]
    [InlineData(WhenSuspected.FailFast)]
    [Trait("Case", "replica-suspicion")]
    public async Task OwnerNotHeard_OperationsWaitOrFailAtOnce_AndNothingMoves(WhenSuspected what)
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1, catalog: Catalog, backups: 0);
        var partition = cluster.PartitionOf(Strict, "k");
        var owner = cluster.OwnerOf(partition);
        var caller = cluster.OtherThan(owner);
        var options = cluster.RouterOptions();
        options.WhenSuspected = what;
        var router = new StateRouter(
            caller.View, new SimulatedCluster.Directory(cluster), cluster.Hash, caller.Store, options);
        var state = new StateClient<string, int?>(Strict, router);
        await cluster.RunAsync(state.PutAsync("k", 7));
        cluster.Network = (to, frame) => to == owner.Node || IsOf(frame, owner) ? [] : [frame];
        cluster.Advance(TimeSpan.FromSeconds(1.5));
        Assert.True(caller.Store.IsSuspected(owner.Node));
        var calls = cluster.CallCount;
        var read = state.GetAsync("k").AsTask();
        if (what == WhenSuspected.FailFast)
        {
            var failure = await Assert.ThrowsAsync<StateUnavailableException>(() => read);
            var cause = Assert.IsType<GlueException>(failure.InnerException);
            Assert.Equal(
                (GlueErrorKind.Unreachable, GlueDelivery.NotDelivered), (cause.Kind, cause.Delivery));
        }
        else
        {
            cluster.Advance(TimeSpan.FromSeconds(3));
            Assert.False(read.IsCompleted);
        }

        Assert.Equal(calls, cluster.CallCount);
        Assert.Equal(owner, cluster.OwnerOf(partition));
        cluster.Network = null;
        await cluster.UntilAsync(() => !caller.Store.IsSuspected(owner.Node));
        if (what == WhenSuspected.Wait)
            await cluster.RunAsync(read);
        Assert.Equal(7, await cluster.RunAsync(state.GetAsync("k")));
    }

    [Theory]
    [InlineData(true, 10_000_000)]
    [InlineData(false, 9_999_999)]
    [InlineData(false, -1)]
    public async Task Request_ModeThatCannotBe_IsRefused(bool isStrict, long maxAgeTicks)
    {
        await using var cluster = new SimulatedCluster(nodes: 1, partitions: 1, catalog: Catalog);
        var reply = await cluster.RunAsync(cluster[0].Store.ExecuteAsync(
            new StateRequest
            {
                ClusterId = cluster.Meta.ClusterId,
                Verb = StateVerb.Get,
                StateId = Old.Id,
                Key = "k"u8.ToArray(),
                IsStrict = isStrict,
                MaxAgeTicks = maxAgeTicks,
            },
            CancellationToken.None));
        Assert.Equal(StateReplyStatus.Refused, reply.Status);
        Assert.Contains("ticks old", reply.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void BoundedStale_LessThanASecond_IsRefused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => StateReads.BoundedStale(TimeSpan.FromSeconds(0.9)));

    // Cluster, sender and receiver follow the two bytes of version and kind.
    private static bool IsOf(byte[] frame, SimulatedNode node) =>
        new Guid(frame.AsSpan(18, 16), bigEndian: true) == node.Node.Incarnation;
}
