using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Tests.Local;

/// <summary>Handoffs between nodes: no entry is lost, no entry stays behind, and damaged chunks are refused.</summary>
public sealed class HandoffTests
{
    [Fact]
    public async Task Move_PartitionWithManyRecords_ArrivesWholeAndLeavesNothing()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var source = cluster.OwnerOf(default);
        var target = cluster.OtherThan(source);
        var versions = new Dictionary<string, StateVersion>();
        for (var number = 0; number < 2_000; number++)
        {
            var cart = new Cart { Owner = new string('x', number % 500) };
            versions[$"k{number}"] = await source.Carts.PutAsync($"k{number}", cart, StateExpiry.After(TimeSpan.FromHours(1)));
        }

        await source.Carts.PutAsync("expired", new Cart(), StateExpiry.After(TimeSpan.FromSeconds(1)));
        cluster.Manual.Advance(TimeSpan.FromSeconds(1));
        await cluster.MoveAsync(default, target);
        Assert.Equal(0, source.Pile.GetStatistics().Objects);
        Assert.Equal((2_000, PartitionState.Serving), Describe(target));
        foreach (var (key, version) in versions)
            Assert.Equal(version, (await source.Carts.GetWithVersionAsync(key))!.Value.Version);
        Assert.Equal("", (await target.Carts.GetAsync("k0"))!.Owner);
        Assert.True(await target.Carts.PutAsync("k0", new Cart()) > versions.Values.Max());
        cluster.Manual.Advance(TimeSpan.FromHours(1));
        Assert.Null(await target.Carts.GetAsync("k1"));
    }

    [Fact]
    public async Task Move_EmptyPartition_Works()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var target = cluster.OtherThan(cluster.OwnerOf(default));
        await cluster.MoveAsync(default, target);
        Assert.Equal((0, PartitionState.Serving), Describe(target));
    }

    [Fact]
    public async Task Move_BackAndForthUnderLoad_LosesNoIncrement()
    {
        await using var cluster = new SimulatedCluster(nodes: 3, partitions: 4, TimeProvider.System);
        const int Writers = 4, Increments = 250;
        var writers = Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
        {
            var router = writer == 0 ? cluster.Client : cluster[writer - 1].Router;
            var counts = new StateClient<string, int?>(SimulatedCluster.Counts, router);
            for (var number = 0; number < Increments; number++)
                await counts.UpdateAsync($"c{number % 8}", default(Increment));
        })).ToArray();
        var moves = 0;
        while (!Task.WhenAll(writers).IsCompleted || moves < 20)
        {
            var partition = new PartitionId(moves % 4);
            await cluster.MoveAsync(partition, cluster.OtherThan(cluster.OwnerOf(partition)));
            moves++;
        }

        await Task.WhenAll(writers).WaitAsync(TimeSpan.FromSeconds(60), TimeProvider.System);
        var reader = new StateClient<string, int?>(SimulatedCluster.Counts, cluster[0].Router);
        var sum = 0;
        for (var number = 0; number < 8; number++)
            sum += await reader.GetAsync($"c{number}") ?? 0;
        Assert.Equal(Writers * Increments, sum);
    }

    [Fact]
    public async Task Send_PartitionServing_IsRefused()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var source = cluster.OwnerOf(default);
        await Assert.ThrowsAsync<NotOwnerException>(async () =>
            await source.Store.SendAsync(default, cluster.OtherThan(source).Store, CancellationToken.None));
    }

    [Fact]
    public async Task Send_TargetFull_IsRefusedAndLeavesNothingThere()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var (source, target) = await FillAsync(cluster, entries: 60);
        using var filler = new PileFiller(target.Pile);
        await source.Store.SealAsync(default, CancellationToken.None);
        var error = await Assert.ThrowsAsync<StateRefusedException>(async () =>
            await source.Store.SendAsync(default, target.Store, CancellationToken.None));
        Assert.Contains("the pile is full", error.Message, StringComparison.Ordinal);
        Assert.Equal(filler.Objects, target.Pile.GetStatistics().Objects);
        source.Store.Unseal(default);
        Assert.NotNull(await source.Carts.GetAsync("k1"));
    }

    [Fact]
    public async Task Import_ChunkDamagedRepeatedOrOutOfOrder_IsDealtWith()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var (source, target) = await FillAsync(cluster, entries: 60);
        await source.Store.SealAsync(default, CancellationToken.None);
        var chunks = new List<HandoffChunk>();
        await source.Store.SendAsync(default, new Recorder(chunks), CancellationToken.None);
        Assert.True(chunks.Count >= 3);

        await CheckRefusedAsync(target, chunks[1], "must start with chunk 0");
        await CheckAcceptedAsync(target, chunks[0]);
        await CheckAcceptedAsync(target, chunks[0]);
        await CheckRefusedAsync(target, chunks[2], "where chunk 1 was expected");
        await CheckAcceptedAsync(target, chunks[0]);
        await CheckRefusedAsync(target, With(chunks[1], records => records[^1] ^= 1), "checksum of chunk 1");
        Assert.Equal(0, target.Pile.GetStatistics().Objects);
        Assert.Throws<NotOwnerException>(() => target.Store.Promote(default, new Epoch(2)));

        foreach (var chunk in chunks)
            await CheckAcceptedAsync(target, chunk);
        Assert.True(target.Store.IsStaged(default));
        target.Store.Promote(default, new Epoch(2));
        Assert.Equal((60, PartitionState.Serving), Describe(target));
        await CheckRefusedAsync(target, chunks[0], "is Serving here");
    }

    [Fact]
    public async Task Import_StatesDiffer_IsRefusedByName()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var target = cluster.OtherThan(cluster.OwnerOf(default));
        var known = new HandoffState { Id = SimulatedCluster.Carts.Id, Name = "carts", LayoutFingerprint = 1 };
        await CheckRefusedAsync(target, First(cluster, known), "values of state 'carts' have another layout");
        await CheckRefusedAsync(target, First(cluster, new HandoffState { Id = 1, Name = "news" }), "'news' is not registered here");
        var clash = new HandoffState { Id = SimulatedCluster.Carts.Id, Name = "other" };
        await CheckRefusedAsync(target, First(cluster, clash), "'other' and 'carts' have the same hash");
        await CheckRefusedAsync(target, new HandoffChunk { FormatVersion = 9 }, "message format 9");
        await CheckRefusedAsync(target, new HandoffChunk { ClusterId = cluster.Hash.ClusterId, Partition = 99 }, "no partition 99");
    }

    [Fact]
    public async Task Abort_HalfATransfer_FreesWhatHasArrived()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var (source, target) = await FillAsync(cluster, entries: 60);
        await source.Store.SealAsync(default, CancellationToken.None);
        var chunks = new List<HandoffChunk>();
        await source.Store.SendAsync(default, new Recorder(chunks), CancellationToken.None);
        await CheckAcceptedAsync(target, chunks[0]);
        Assert.NotEqual(0, target.Pile.GetStatistics().Objects);
        var abort = new HandoffAbort
        {
            ClusterId = chunks[0].ClusterId, Source = chunks[0].Source, TransferId = chunks[0].TransferId,
        };
        await target.Store.AbortImportAsync(abort, CancellationToken.None);
        Assert.Equal(0, target.Pile.GetStatistics().Objects);
        await CheckRefusedAsync(target, chunks[1], "must start with chunk 0");
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task Import_TransferOfAnotherNodeAtTheSameEpoch_NeitherReplacesNorCallsOffTheRunningOne()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var (source, target) = await FillAsync(cluster, entries: 60);
        await source.Store.SealAsync(default, CancellationToken.None);
        var chunks = new List<HandoffChunk>();
        await source.Store.SendAsync(default, new Recorder(chunks), CancellationToken.None);
        await CheckAcceptedAsync(target, chunks[0]);

        await CheckRefusedAsync(target, Copy(chunks[0], Guid.NewGuid(), Guid.NewGuid(), 0), "from another node is under way");
        await CheckRefusedAsync(target, Copy(chunks[1], Guid.NewGuid(), chunks[0].TransferId, 0), "must start with chunk 0");
        var abort = new HandoffAbort
        {
            ClusterId = chunks[0].ClusterId, Source = Guid.NewGuid(), TransferId = chunks[0].TransferId,
        };
        await target.Store.AbortImportAsync(abort, CancellationToken.None);
        foreach (var chunk in chunks.Skip(1))
            await CheckAcceptedAsync(target, chunk);
        Assert.True(target.Store.IsStaged(default));

        // The same node may start the transfer again, and an owner at a newer epoch replaces the chunks of an earlier
        // owner.
        await CheckAcceptedAsync(target, Copy(chunks[0], chunks[0].Source, Guid.NewGuid(), 0));
        Assert.False(target.Store.IsStaged(default));
        await CheckAcceptedAsync(target, Copy(chunks[0], Guid.NewGuid(), Guid.NewGuid(), 1));
        await CheckRefusedAsync(target, Copy(chunks[0], chunks[0].Source, Guid.NewGuid(), 0), "a newer transfer is under way");
    }

    [Fact]
    [Trait("Case", "repair-A10")]
    public async Task Import_StateNameWithLineBreaks_StaysOnTheLineOfTheRefusal()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var target = cluster.OtherThan(cluster.OwnerOf(default));
        var forged = new HandoffState { Id = 1, Name = "news\nERROR forged" };
        await CheckRefusedAsync(target, First(cluster, forged), @"state 'news\nERROR forged' is not registered");
        Assert.DoesNotContain('\n', new NodeId("a\nb", Guid.Empty).ToString());
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task Import_ChunkOfAnotherCluster_IsRefused()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var target = cluster.OtherThan(cluster.OwnerOf(default));
        await CheckRefusedAsync(target, new HandoffChunk { ClusterId = Guid.NewGuid(), States = [] }, "belongs to cluster");
        var abort = await target.Store.AbortImportAsync(new HandoffAbort(), CancellationToken.None);
        Assert.Contains("belongs to cluster", abort.Refusal, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Send_LinkBreaksHalfway_CallsTheTransferOff()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var (source, target) = await FillAsync(cluster, entries: 60);
        await source.Store.SealAsync(default, CancellationToken.None);
        var breaking = new Recorder([]) { Target = target.Store, BreakAfter = 2 };
        await Assert.ThrowsAsync<IOException>(async () =>
            await source.Store.SendAsync(default, breaking, CancellationToken.None));
        Assert.Equal(0, target.Pile.GetStatistics().Objects);
        source.Store.Unseal(default);
        Assert.Equal((60, PartitionState.Serving), Describe(source));
    }

    private static (long, PartitionState) Describe(SimulatedNode node)
    {
        var statistics = node.Store.GetStatistics(default);
        return (statistics.Entries, statistics.State);
    }

    private static async Task<(SimulatedNode Source, SimulatedNode Target)> FillAsync(SimulatedCluster cluster, int entries)
    {
        var source = cluster.OwnerOf(default);
        for (var number = 0; number < entries; number++)
            await source.Carts.PutAsync($"k{number}", new Cart { Owner = new string('x', 10_000) });
        return (source, cluster.OtherThan(source));
    }

    private static HandoffChunk First(SimulatedCluster cluster, HandoffState state) =>
        new() { ClusterId = cluster.Hash.ClusterId, Epoch = 9, States = [state] };

    private static HandoffChunk Copy(HandoffChunk chunk, Guid source, Guid transfer, int epochsLater) => new()
    {
        ClusterId = chunk.ClusterId,
        Source = source,
        TransferId = transfer,
        Partition = chunk.Partition,
        Epoch = chunk.Epoch + epochsLater,
        Sequence = chunk.Sequence,
        States = chunk.States,
        Records = chunk.Records,
        RecordCount = chunk.RecordCount,
        ClockTicks = chunk.ClockTicks,
        Checksum = chunk.Checksum,
    };

    private static HandoffChunk With(HandoffChunk chunk, Action<byte[]> change)
    {
        byte[] records = [.. chunk.Records];
        change(records);
        return new HandoffChunk
        {
            ClusterId = chunk.ClusterId,
            Source = chunk.Source,
            TransferId = chunk.TransferId,
            Partition = chunk.Partition,
            Epoch = chunk.Epoch,
            Sequence = chunk.Sequence,
            Records = records,
            RecordCount = chunk.RecordCount,
            ClockTicks = chunk.ClockTicks,
            Checksum = chunk.Checksum,
        };
    }

    private static async Task CheckAcceptedAsync(SimulatedNode target, HandoffChunk chunk)
    {
        var reply = await target.Store.ImportAsync(chunk, CancellationToken.None);
        Assert.True(reply.IsAccepted, reply.Refusal);
    }

    private static async Task CheckRefusedAsync(SimulatedNode target, HandoffChunk chunk, string why)
    {
        var reply = await target.Store.ImportAsync(chunk, CancellationToken.None);
        Assert.False(reply.IsAccepted);
        Assert.Contains(why, reply.Refusal, StringComparison.Ordinal);
    }

    /// <summary>Keeps the chunks, forwards them if a target is set, and may fail like a broken link.</summary>
    private sealed class Recorder(List<HandoffChunk> chunks) : IStatePeer
    {
        public NodeStateStore? Target { get; init; }

        public int BreakAfter { get; init; } = int.MaxValue;

        public ValueTask<StateReply> ExecuteAsync(StateRequest request, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public ValueTask<HandoffReply> ImportAsync(HandoffChunk chunk, CancellationToken cancellationToken)
        {
            if (chunks.Count >= BreakAfter)
                throw new IOException("The link broke.");
            chunks.Add(chunk);
            return Target?.ImportAsync(chunk, cancellationToken) ?? new(new HandoffReply { IsAccepted = true });
        }

        public ValueTask<HandoffReply> AbortImportAsync(HandoffAbort abort, CancellationToken cancellationToken) =>
            Target?.AbortImportAsync(abort, cancellationToken) ?? new(new HandoffReply { IsAccepted = true });
    }
}
