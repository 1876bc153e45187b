using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Wire;
using Cluster.StateStore.Tests.Hosting;
using Xunit.Abstractions;

namespace Cluster.StateStore.Tests.Engine;

/// <summary>Engines with real threads and clocks.</summary>
public sealed class NodeEngineTests(ITestOutputHelper output)
{
    private const int Callers = 8;
    private const int KeysPerCaller = 100;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Drain_WhileOthersWrite_LosesNothing(int backups)
    {
        await using var cluster = await StartAsync(nodes: 3, backups, isBalanced: true);
        await WriteAllAsync(cluster, 1);
        cluster[2].Store.Drain();
        var writes = WriteAllAsync(cluster, 2);
        var slot = cluster[2].Member.Slot;
        await cluster.UntilAsync(() => !cluster.Table.Partitions.Any(entry => entry.Names(slot)));
        await writes;
        await CheckAllAsync(cluster, 2);
        await cluster.UntilAsync(() => cluster[2].RecordCount == 0);
        Assert.All(cluster.Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
    }

    [Fact]
    public async Task Kill_WhileOthersWrite_LosesNoAcknowledgedWrite()
    {
        await using var cluster = await StartAsync(nodes: 3, backups: 1, isBalanced: true);
        await WriteAllAsync(cluster, 1);
        var writes = WriteAllAsync(cluster, 2);
        cluster[0].Kill();
        await writes;
        await CheckAllAsync(cluster, 2);
        await cluster.UntilAsync(() => cluster.IsQuiet);
        await CheckAllAsync(cluster, 2);
        Assert.All(cluster.Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
    }

    [Fact]
    public async Task Start_LateNode_GetsItsShareWhileOthersWrite()
    {
        await using var cluster = await StartAsync(nodes: 1, backups: 0, isBalanced: true);
        await WriteAllAsync(cluster, 1);
        var writes = WriteAllAsync(cluster, 2);
        cluster.Add();
        await writes;
        await cluster.UntilAsync(
            () => cluster.Table.Partitions.CountBy(entry => entry.Primary!.Value).All(share => share.Value == 8));
        await cluster.UntilAsync(() => cluster.IsQuiet);
        await CheckAllAsync(cluster, 2);
    }

    [Fact]
    public async Task Receive_FrameThatIsNoneOrForOthers_IsCountedAndDropped()
    {
        await using var cluster = new SimulatedCluster(nodes: 2);
        var engine = cluster[0].Store.Engine;
        var header = new FrameHeader(cluster.Meta.ClusterId, cluster[1].Node.Incarnation, cluster[0].Node.Incarnation);
        var before = engine.RefusedFrames;
        cluster[0].Store.Deliver(Written(header, new TableHint(1)));
        Assert.Equal(before, engine.RefusedFrames);
        cluster[0].Store.Deliver(new byte[100]);
        cluster[0].Store.Deliver(default);
        cluster[0].Store.Deliver(Written(header with { Cluster = Guid.NewGuid() }, new TableHint(1)));
        cluster[0].Store.Deliver(Written(header with { Receiver = Guid.NewGuid() }, new TableHint(1)));
        cluster[0].Store.Deliver(Written(header, new CopyAsk(new PartitionId(16 * PartitionEntry.MaxInSync), 1, 1)));
        cluster[0].Store.Deliver(Written(header, new Beacon(1, 1, [])));
        cluster[0].Store.DeliverBeacon(Written(header, new TableHint(1)));
        Assert.Equal(before + 7, engine.RefusedFrames);
        await WriteAllAsync(cluster, 1);
        await CheckAllAsync(cluster, 1);
    }

    [Fact]
    public async Task Receive_FramesOfAStranger_ChangeNothing()
    {
        await using var cluster = new SimulatedCluster(nodes: 2);
        await WriteAllAsync(cluster, 1);
        var (table, stranger) = (cluster.Table, NodeId.NewIncarnation("stranger"));
        var header = new FrameHeader(cluster.Meta.ClusterId, stranger.Incarnation, cluster[0].Node.Incarnation);
        var (victim, thief) = (cluster[1].Member.Slot, cluster[0].Member.Slot);
        var mine = Enumerable.Range(0, 16).Where(index => table.Partitions[index].Primary == victim);
        var wishes = mine.Select(index => new Wish(
            new PartitionId(index), PartitionChange.TakeOver, thief, table.Partitions[index].Epoch.Value));
        cluster[0].Store.Deliver(Written(header, new Proposal(table.Version, [.. wishes])));
        cluster[0].Store.Deliver(Written(header, new DeathReport(cluster[1].Node, "")));
        cluster[0].Store.Deliver(Written(header, new MemberAsk(cluster[1].Member with { State = MemberState.Gone })));
        var beacon = new Beacon(1, table.Version, [victim]) { IsCoordinator = true };
        cluster[0].Store.DeliverBeacon(Written(header, beacon));
        cluster[0].Store.DeliverBeacon(Written(header, new BeaconAck(long.MaxValue, table.Version, [])));
        cluster[0].Store.Deliver(Written(header, new TableHint(long.MaxValue)));
        cluster.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(table.Version, cluster.Table.Version);
        await CheckAllAsync(cluster, 1);
    }

    [Fact]
    public async Task Exception_OfTheCore_StopsTheNodeAloneAndItsBackupsTakeOver()
    {
        await using var cluster = new SimulatedCluster(nodes: 3, backups: 1);
        await cluster.RunAsync(WriteAllAsync(cluster, 1));
        var (broken, table) = (cluster[1], cluster.Table);
        Assert.Null(broken.Store.Failure);
        broken.Store.TableRead(table with { Version = table.Version + 1, Partitions = table.Partitions[..1] });
        Assert.Contains("the state store has stopped", broken.Store.Failure, StringComparison.Ordinal);
        broken.Store.TableRead(table);
        await cluster.UntilAsync(() => cluster.Table.Partitions.All(entry => entry.Primary != broken.Member.Slot));
        var check = CheckAllAsync(cluster, 1);
        await cluster.RunAsync(check);
        await check;
        Assert.All(cluster.Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
        broken.Kill();
    }

    private async Task<SimulatedCluster> StartAsync(int nodes, int backups, bool isBalanced = false)
    {
        var started = Stopwatch.GetTimestamp();
        var cluster = await SimulatedCluster.StartAsync(nodes, backups: backups, isBalanced: isBalanced);
        output.WriteLine($"table version {cluster.Table.Version} after {Stopwatch.GetElapsedTime(started)}");
        return cluster;
    }

    private static Task WriteAllAsync(SimulatedCluster cluster, int value)
    {
        var router = cluster.Nodes[cluster.Nodes.Count - 1].Router;
        return Parallel.ForAsync(0, Callers, async (caller, _) =>
        {
            var counts = new StateClient<string, int?>(SimulatedCluster.Counts, router);
            for (var number = 0; number < KeysPerCaller; number++)
                await WriteAsync(counts, $"key {caller} {number}", value);
        });
    }

    // A write whose outcome is unknown is repeated: to put the same value twice does no harm.
    private static async Task WriteAsync(StateClient<string, int?> counts, string key, int value)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await counts.PutAsync(key, value);
                return;
            }
            catch (StateOutcomeUnknownException) when (attempt < 100)
            {
                // The next attempt tells.
            }
        }
    }

    private static async Task CheckAllAsync(SimulatedCluster cluster, int value)
    {
        var counts = new StateClient<string, int?>(SimulatedCluster.Counts, cluster.Living.First().Router);
        for (var caller = 0; caller < Callers; caller++)
        {
            for (var number = 0; number < KeysPerCaller; number++)
                Assert.Equal(value, await counts.GetAsync($"key {caller} {number}"));
        }
    }

    private static byte[] Written(FrameHeader header, object frame)
    {
        var writer = new FormatWriter(256);
        FrameCodec.Write(header, frame, writer);
        return writer.Written.ToArray();
    }
}
