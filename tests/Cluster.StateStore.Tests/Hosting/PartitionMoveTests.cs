using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Storage;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Partitions that move between nodes: no record is lost, none stays behind, and a copy that does not arrive
/// as it was sent does no harm.</summary>
public sealed class PartitionMoveTests
{
    private static readonly TimeSpan LifeOfRecords = TimeSpan.FromMinutes(3);

    /// <summary>What becomes of the second chunk of a copy.</summary>
    public enum Trouble
    {
        Lost,
        CutOff,
        Damaged,
        OneBitChanged,
        Repeated,
        TooLate,
        ForAnotherLife,
        ForAnotherCluster,
        OfAnotherCopy,
        WithKeysOfAnotherPartition,
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Move_PartitionWithManyRecords_ArrivesWholeAndLeavesNothing(int backups)
    {
        await using var cluster = new SimulatedCluster(nodes: 3, partitions: 1, backups: backups);
        var source = cluster.OwnerOf(default);
        var target = cluster.Nodes.First(node => !cluster.Table[default].InSync.Items.Contains(node.Member.Slot));
        var versions = new Dictionary<string, StateVersion>();
        for (var number = 0; number < 2_000; number++)
            versions[$"k{number}"] = await PutAsync(cluster, source, $"k{number}", number % 500);
        foreach (var size in new[] { 1, 10_000, 100_000, 300_000, 1_000_000, 2, 1_000_000, 3 })
            versions[$"size{versions.Count}"] = await PutAsync(cluster, source, $"size{versions.Count}", size);
        var second = StateExpiry.After(TimeSpan.FromSeconds(1));
        await cluster.RunAsync(source.Carts.PutAsync("expired", new Cart(), second));
        cluster.Advance(TimeSpan.FromSeconds(1));
        await cluster.MoveAsync(default, target);
        var isNamed = cluster.Table[default].Names(source.Member.Slot);
        await cluster.UntilAsync(() => isNamed || source.RecordCount == 0);
        await cluster.UntilAsync(() => target.Describe(default) is { Entries: 2_008 });
        foreach (var (key, version) in versions)
            Assert.Equal(version, (await cluster.RunAsync(source.Carts.GetWithVersionAsync(key)))!.Value.Version);
        Assert.Equal(499, (await target.Carts.GetAsync("k499"))!.Owner.Length);
        Assert.Equal(1_000_000, (await target.Carts.GetAsync("size2004"))!.Owner.Length);
        Assert.True(await PutAsync(cluster, target, "k0", 0) > versions.Values.Max());
        cluster.Advance(LifeOfRecords);
        Assert.Null(await cluster.RunAsync(target.Carts.GetAsync("k1")));
    }

    [Fact]
    public async Task Move_EmptyPartition_Works()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var target = cluster.OtherThan(cluster.OwnerOf(default));
        await cluster.MoveAsync(default, target);
        Assert.Equal(0, target.Describe(default)!.Entries);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Move_BackAndForthUnderLoad_LosesNoIncrement(int backups)
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 3, partitions: 4, backups: backups);
        const int Writers = 4, Increments = 250;
        var unknown = 0;
        var writers = Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
        {
            var router = writer == 0 ? cluster.Client : cluster[writer - 1].Router;
            var counts = new StateClient<string, int?>(SimulatedCluster.Counts, router);
            for (var number = 0; number < Increments; number++)
            {
                try
                {
                    await counts.UpdateAsync($"c{number % 8}", default(Increment));
                }
                catch (StateOutcomeUnknownException)
                {
                    Interlocked.Increment(ref unknown);
                }
            }
        })).ToArray();
        for (var moves = 0; !Task.WhenAll(writers).IsCompleted || moves < 12; moves++)
        {
            var partition = new PartitionId(moves % 4);
            cluster.BeginMove(partition, cluster.OtherThan(cluster.OwnerOf(partition)));
            await cluster.UntilAsync(
                () => cluster.Table[partition] is { Next: null, Joining: null, Leaving: null });
        }

        await Task.WhenAll(writers).WaitAsync(TimeSpan.FromSeconds(60), TimeProvider.System);
        var reader = new StateClient<string, int?>(SimulatedCluster.Counts, cluster[0].Router);
        var sum = 0;
        for (var number = 0; number < 8; number++)
            sum += await reader.GetAsync($"c{number}") ?? 0;

        // A planned move waits until everything is committed. Only a machine that stands still makes outcomes unknown.
        Assert.InRange(sum, (Writers * Increments) - unknown, Writers * Increments);
    }

    [Fact]
    public async Task Move_TargetFull_IsRefusedAndLeavesNothingThere()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var (source, target) = await FillAsync(cluster);
        using (new PileFiller(target.Pile))
        {
            cluster.BeginMove(default, target);
            cluster.Drain();
            await cluster.UntilAsync(() => cluster.IsQuiet, TimeSpan.FromSeconds(2));
            Assert.Equal((source, 0), (cluster.OwnerOf(default), target.RecordCount));
            await CheckAllAsync(cluster);
            Assert.True(await source.Carts.PutAsync("k1", new Cart()) > StateVersion.None);
        }

        await cluster.MoveAsync(default, target);
        await cluster.UntilAsync(() => source.RecordCount == 0);
        await CheckAllAsync(cluster);
    }

    [Theory]
    [InlineData(Trouble.Lost)]
    [InlineData(Trouble.CutOff)]
    [InlineData(Trouble.Damaged)]
    [InlineData(Trouble.OneBitChanged)]
    [InlineData(Trouble.Repeated)]
    [InlineData(Trouble.TooLate)]
    [InlineData(Trouble.ForAnotherLife)]
    [InlineData(Trouble.ForAnotherCluster)]
    [InlineData(Trouble.OfAnotherCopy)]
    [InlineData(Trouble.WithKeysOfAnotherPartition)]
    [Trait("Case", "repair-A3")]
    public async Task Copy_ChunkInTrouble_ArrivesWholeAllTheSame(Trouble trouble)
    {
        await using var cluster = NewCluster(nodes: 2, partitions: 2);
        var (source, target) = await FillAsync(cluster);
        byte[]? late = null;
        var (chunks, troubles) = (0, 0);
        cluster.Network = (to, frame) =>
        {
            if (to != target.Node || frame[1] != (byte)FrameKind.CopyChunk)
                return [frame];
            var arriving = chunks++ == 1 ? Change(cluster, frame, trouble) : [frame];
            if (chunks == 2)
            {
                troubles++;
                late = trouble == Trouble.TooLate ? frame : null;
            }
            else if (late is not null)
            {
                (arriving, late) = ([frame, late], null);
            }

            return arriving;
        };
        var refused = target.Store.Engine.RefusedFrames;
        cluster.BeginMove(default, target);
        await cluster.UntilAsync(() => cluster.OwnerOf(default) == target && cluster.IsQuiet);
        var isCounted = trouble is not (Trouble.Lost or Trouble.Repeated or Trouble.TooLate or Trouble.OfAnotherCopy);
        Assert.Equal((1, isCounted ? 1 : 0), (troubles, target.Store.Engine.RefusedFrames - refused));
        await CheckAllAsync(cluster);
        await cluster.UntilAsync(() => source.Describe(default) is null && target.Describe(default) is { Entries: 60 });
    }

    [Fact]
    public async Task Copy_LinkBreaksHalfway_TheSourceServesOnAndTheTargetHoldsNothing()
    {
        await using var cluster = NewCluster(nodes: 2, partitions: 2);
        var (source, target) = await FillAsync(cluster);
        var chunks = BreakLinkTo(cluster, target);
        cluster.BeginMove(default, target);
        cluster.Drain();
        await cluster.UntilAsync(() => cluster.IsQuiet, TimeSpan.FromSeconds(30));
        Assert.True(chunks() > 2);
        Assert.Equal(source, cluster.OwnerOf(default));
        await cluster.UntilAsync(() => target.RecordCount == 0);
        await CheckAllAsync(cluster);
        cluster.Network = null;
        await cluster.MoveAsync(default, target);
        await CheckAllAsync(cluster);
    }

    [Fact]
    public async Task Drain_LinkToTheTargetBreaksHalfway_MovesElsewhere()
    {
        await using var cluster = NewCluster(nodes: 3, partitions: 1);
        var (source, _) = await FillAsync(cluster);
        NodeId? first = null;
        cluster.Network = (to, frame) =>
        {
            if (frame[1] != (byte)FrameKind.CopyChunk)
                return [frame];
            first ??= to;
            return to == first ? [] : [frame];
        };
        source.Store.Drain();
        await cluster.UntilAsync(() => cluster.OwnerOf(default) != source && cluster.IsQuiet);
        Assert.NotEqual(first, cluster.OwnerOf(default).Node);
        await cluster.UntilAsync(() => source.RecordCount == 0);
        await CheckAllAsync(cluster);
    }

    [Fact]
    public async Task Copy_FrameOfAnotherNode_NeitherReplacesNorCallsOffTheRunningOne()
    {
        await using var cluster = NewCluster(nodes: 3, partitions: 1);
        var (source, target) = await FillAsync(cluster);
        var third = cluster.Nodes.Single(node => node != source && node != target);
        cluster.Network = (to, frame) =>
        {
            if (to != target.Node || frame[1] != (byte)FrameKind.CopyChunk)
                return [frame];
            var (header, read) = FrameCodec.Read(frame, 1);
            var forged = (CopyChunk)read with { Records = [], IsLast = true, Scan = 99 };
            return [Written(header with { Sender = third.Node.Incarnation }, forged), frame];
        };
        await cluster.MoveAsync(default, target);
        Assert.Equal(60, target.Describe(default)!.Entries);
        await CheckAllAsync(cluster);
    }

    [Fact]
    public async Task Move_ToANodeThatDoesNotKnowTheState_KeepsTheRecords()
    {
        await using var cluster = new SimulatedCluster(
            nodes: 2,
            partitions: 1,
            catalogOf: number => new StateCatalog(number == 1 ? [SimulatedCluster.Carts] : [SimulatedCluster.Counts]));
        var (knowing, other) = (cluster[0], cluster[1]);
        if (cluster.OwnerOf(default) == other)
            await cluster.MoveAsync(default, knowing);
        await FillAsync(cluster);
        await cluster.MoveAsync(default, other);
        var refusal = await Assert.ThrowsAsync<StateRefusedException>(async () => await knowing.Carts.GetAsync("k1"));
        Assert.Contains("is not registered on this node", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(60, other.Describe(default)!.Entries);
        await cluster.MoveAsync(default, knowing);
        await CheckAllAsync(cluster);
        await cluster.UntilAsync(() => other.Describe(default) is null);
    }

    private static Task<StateVersion> PutAsync(SimulatedCluster cluster, SimulatedNode node, string key, int size)
    {
        var cart = new Cart { Owner = new string('x', size) };
        return cluster.RunAsync(node.Carts.PutAsync(key, cart, StateExpiry.After(LifeOfRecords)));
    }

    /// <summary>Puts 60 records of 10 KB into the first partition.</summary>
    private static async Task<(SimulatedNode Source, SimulatedNode Target)> FillAsync(SimulatedCluster cluster)
    {
        var source = cluster.OwnerOf(default);
        foreach (var key in Keys(cluster))
            await source.Carts.PutAsync(key, new Cart { Owner = new string('x', 10_000) });
        return (source, cluster.OtherThan(source));
    }

    // Without layouts, each chunk is a frame of its own.
    private static SimulatedCluster NewCluster(int nodes, int partitions) =>
        new(nodes, partitions, protocolOf: static _ => ProtocolVersion.First);

    private static async Task CheckAllAsync(SimulatedCluster cluster)
    {
        foreach (var key in Keys(cluster))
            Assert.NotNull(await cluster.OwnerOf(default).Carts.GetAsync(key));
    }

    private static IEnumerable<string> Keys(SimulatedCluster cluster) => Enumerable.Range(0, 1_000)
        .Select(number => $"k{number}")
        .Where(key => cluster.PartitionOf(SimulatedCluster.Carts, key) == default)
        .Take(60);

    /// <summary>Lets the first two chunks to a node arrive, and no other one.</summary>
    private static Func<int> BreakLinkTo(SimulatedCluster cluster, SimulatedNode target)
    {
        var chunks = 0;
        cluster.Network = (to, frame) =>
            to == target.Node && frame[1] == (byte)FrameKind.CopyChunk && ++chunks > 2 ? [] : [frame];
        return () => chunks;
    }

    private static IEnumerable<byte[]> Change(SimulatedCluster cluster, byte[] frame, Trouble trouble)
    {
        var (header, read) = FrameCodec.Read(frame, cluster.Meta.PartitionCount);
        var chunk = (CopyChunk)read;
        var other = Enumerable.Range(0, 256).Select(number => new[] { (byte)number })
            .First(key => cluster.Hash.PartitionOf(cluster.Hash.Hash(key)) != default);
        var stray = new RecordImage(new StateKey(SimulatedCluster.Carts.Id, other), EntryId.Of(1, 1), 0, new byte[1]);
        return trouble switch
        {
            Trouble.CutOff => [frame[..^1]],
            Trouble.Damaged => [Written(header, chunk with { Time = 0 })[..^3]],
            Trouble.OneBitChanged => [[.. frame[..^12], (byte)(frame[^12] ^ 1), .. frame[^11..]]],
            Trouble.Repeated => [frame, frame],
            Trouble.ForAnotherLife => [Written(header with { Receiver = Guid.NewGuid() }, chunk)],
            Trouble.ForAnotherCluster => [Written(header with { Cluster = Guid.NewGuid() }, chunk)],
            Trouble.OfAnotherCopy =>
                [Written(header, chunk with { Ask = chunk.Ask with { Copy = chunk.Ask.Copy + 1 } })],
            Trouble.WithKeysOfAnotherPartition =>
                [Written(header, chunk with { Records = chunk.Records.Add(stray) })],
            _ => [],
        };
    }

    private static byte[] Written(FrameHeader header, object frame)
    {
        var writer = new FormatWriter(256);
        FrameCodec.Write(header, frame, writer);
        return writer.Written.ToArray();
    }
}
