using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.Nodes.Handoff;

/// <summary>Takes over partitions that other nodes send, but only those that the table sends here, and only from the
/// node that owns them: a sender with an older table must not fill this node's memory. The objects that it uses protect
/// themselves.</summary>
internal sealed class HandoffReceiver(
    NodeStateStore store, ITableView view, StagedPartitions staged, NodeId self, TimeProvider time)
{
    /// <summary>How long an import waits for the table that announces it.</summary>
    public static readonly TimeSpan TableWait = TimeSpan.FromSeconds(5);

    public async ValueTask<HandoffReply> ImportAsync(HandoffChunk chunk, CancellationToken cancellationToken)
    {
        var partition = new PartitionId(chunk.Partition);
        var announced = await WaitForAnnouncementAsync(chunk, cancellationToken).ConfigureAwait(false);
        if (announced is null)
        {
            var refusal = $"the table does not send partition {partition} here at epoch {chunk.Epoch} "
                + $"from the node with incarnation {chunk.Source}";
            return new HandoffReply { Refusal = refusal };
        }

        var reply = await store.ImportAsync(chunk, cancellationToken).ConfigureAwait(false);
        if (reply.IsAccepted && store.IsStaged(partition))
            staged.Add(partition, announced);
        return reply;
    }

    public async ValueTask<HandoffReply> AbortAsync(HandoffAbort abort, CancellationToken cancellationToken)
    {
        var reply = await store.AbortImportAsync(abort, cancellationToken).ConfigureAwait(false);
        var partition = new PartitionId(abort.Partition);
        if (!store.IsStaged(partition))
            staged.Remove(partition);
        return reply;
    }

    private async ValueTask<StagedPartition?> WaitForAnnouncementAsync(
        HandoffChunk chunk, CancellationToken cancellationToken)
    {
        var partition = new PartitionId(chunk.Partition);
        var epoch = new Epoch(chunk.Epoch);
        using var timeout = new CancellationTokenSource(TableWait, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        var table = view.Current;
        while (true)
        {
            if (partition.Value < 0 || partition.Value >= table.Partitions.Length)
                return null;
            var entry = table[partition];
            if (entry.Epoch > epoch)
                return null;
            if (entry.Epoch == epoch && IsTarget(table, entry))
                return IsOwner(table, entry, chunk.Source) ? new StagedPartition(table.Version, entry.LossCount) : null;
            try
            {
                table = await view.WaitForNewerAsync(table.Version, ended.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                return null;
            }
        }
    }

    private bool IsTarget(ClusterTable table, PartitionEntry entry) =>
        entry.Joining is { } slot && table.FindMember(slot)?.Node == self;

    private static bool IsOwner(ClusterTable table, PartitionEntry entry, Guid incarnation) =>
        entry.Primary is { } slot && table.FindMember(slot)?.Node.Incarnation == incarnation;
}
