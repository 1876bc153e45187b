using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Local;

/// <summary>The partitions that are on their way to this node, at most one transfer each. A private lock protects the
/// list; each transfer protects itself.</summary>
internal sealed class StagingArea(PartitionContext context, PartitionHash hash)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<PartitionId, PartitionStaging> _stagings = [];

    /// <summary>Takes a chunk in. Returns why the chunk is refused, or null; after a refusal the whole transfer is
    /// freed.</summary>
    public string? Accept(HandoffChunk chunk)
    {
        var staging = FindOrStart(chunk, out var problem);
        problem ??= staging!.Accept(chunk);
        if (problem is not null && staging is not null)
            Abort(new PartitionId(chunk.Partition), chunk.TransferId, chunk.Source);
        return problem;
    }

    public bool IsComplete(PartitionId partition)
    {
        lock (_lock)
            return _stagings.TryGetValue(partition, out var staging) && staging.IsComplete;
    }

    public void Promote(PartitionStore partition, Epoch epoch)
    {
        lock (_lock)
        {
            if (!_stagings.TryGetValue(partition.Id, out var staging) || !staging.IsComplete)
            {
                throw new NotOwnerException(
                    partition.Id,
                    null,
                    epoch,
                    $"Partition {partition.Id} has not arrived completely; it cannot be promoted.");
            }

            partition.ServeStaged(epoch, staging);
            _stagings.Remove(partition.Id);
        }
    }

    /// <summary>Frees a transfer, if the partition still has this one and the given node has sent it.</summary>
    public void Abort(PartitionId partition, Guid transfer, Guid source)
    {
        lock (_lock)
        {
            if (!_stagings.TryGetValue(partition, out var staging))
                return;
            if (staging.TransferId != transfer || staging.Source != source)
                return;
            _stagings.Remove(partition);
            staging.Free();
        }
    }

    /// <summary>Frees all staged records of a partition.</summary>
    public void Drop(PartitionId partition)
    {
        lock (_lock)
        {
            if (_stagings.Remove(partition, out var staging))
                staging.Free();
        }
    }

    private PartitionStaging? FindOrStart(HandoffChunk chunk, out string? problem)
    {
        lock (_lock)
        {
            var partition = new PartitionId(chunk.Partition);
            var isKnown = _stagings.TryGetValue(partition, out var staging)
                && staging.TransferId == chunk.TransferId && staging.Source == chunk.Source;
            problem = isKnown ? null : FindStartProblem(chunk);
            if (isKnown || problem is not null)
                return isKnown ? staging : null;

            problem = staging is null ? null : FindReplacementProblem(staging, chunk);
            if (problem is not null)
                return null;
            staging?.Free();
            return _stagings[partition] = new PartitionStaging(context, hash, chunk);
        }
    }

    // A new attempt of the same node replaces its earlier attempt. Another node can be the owner only at a newer epoch,
    // and then the earlier transfer is worth nothing.
    private static string? FindReplacementProblem(PartitionStaging running, HandoffChunk chunk)
    {
        if (running.SourceEpoch.Value > chunk.Epoch)
            return "a newer transfer is under way";
        var isOutdated = running.SourceEpoch.Value < chunk.Epoch;
        return isOutdated || running.Source == chunk.Source ? null : "a transfer from another node is under way";
    }

    private string? FindStartProblem(HandoffChunk chunk)
    {
        if (chunk.Sequence != 0 || chunk.States is null)
            return "the transfer is unknown; it must start with chunk 0";
        foreach (var state in chunk.States)
        {
            var name = LogText.Clean(state.Name);
            if (!context.Catalog.TryFind(state.Id, out var ordinal))
                return $"state '{name}' is not registered here";
            var known = context.Catalog[ordinal];
            if (known.Name != state.Name)
                return $"the states '{name}' and '{known.Name}' have the same hash";
            if (known.LayoutFingerprint != state.LayoutFingerprint)
                return $"the values of state '{name}' have another layout here";
        }

        return null;
    }
}
