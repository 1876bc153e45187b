using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Local;

/// <summary>The records of a partition that arrive from its owner. Nobody reads them before they are promoted. Chunks
/// must come in order; a repeated one is recognised. A private lock protects the content until it is handed over or
/// freed.</summary>
internal sealed class PartitionStaging(PartitionContext context, PartitionHash hash, HandoffChunk first)
{
    private readonly Lock _lock = new();
    private readonly PartitionId _partition = new(first.Partition);
    private int _nextSequence;
    private long _received;
    private bool _isFreed;

    public Guid TransferId { get; } = first.TransferId;

    /// <summary>The incarnation of the node that sends.</summary>
    public Guid Source { get; } = first.Source;

    public Epoch SourceEpoch { get; } = new(first.Epoch);

    public bool IsComplete { get; private set; }

    public PartitionContent Content { get; } = new(context);

    /// <summary>Takes a chunk in. Returns why the chunk is refused, or null.</summary>
    public string? Accept(HandoffChunk chunk)
    {
        lock (_lock)
        {
            if (_isFreed)
                return "the transfer has been given up";
            if (chunk.Sequence == _nextSequence - 1)
                return null;
            if (chunk.Sequence != _nextSequence || IsComplete)
                return $"chunk {chunk.Sequence} was sent where chunk {_nextSequence} was expected";
            if (XxHash3.Hash(chunk.Records, (ulong)chunk.Sequence) != chunk.Checksum)
                return $"the checksum of chunk {chunk.Sequence} does not match";
            if (chunk.ClockTicks <= 0 || chunk.ClockTicks > DateTime.MaxValue.Ticks)
                return $"chunk {chunk.Sequence} does not say what the sender's clock showed";
            var problem = AddRecordsNeedsLock(chunk) ?? CloseNeedsLock(chunk.Totals);
            if (problem is null)
                _nextSequence++;
            return problem;
        }
    }

    /// <summary>Frees what has arrived. Idempotent.</summary>
    public void Free()
    {
        lock (_lock)
        {
            if (_isFreed)
                return;
            _isFreed = true;
            Content.FreeAll();
        }
    }

    private string? AddRecordsNeedsLock(HandoffChunk chunk)
    {
        var rest = chunk.Records.AsSpan();
        var shift = Content.ClockAt(context.Time.GetUtcNow().UtcTicks) - chunk.ClockTicks;
        for (var index = 0; index < chunk.RecordCount; index++)
        {
            if (rest.Length < PartitionExport.LengthBytes)
                return "a record is cut off";
            var length = BinaryPrimitives.ReadInt32LittleEndian(rest);
            rest = rest[PartitionExport.LengthBytes..];
            if (length < 0 || length > rest.Length || !StateRecord.IsWellFormed(rest[..length]))
                return "a record is malformed";
            if (AddRecordNeedsLock(rest[..length], shift) is { } problem)
                return problem;
            rest = rest[length..];
        }

        return rest.IsEmpty ? null : "bytes follow the last record";
    }

    private string? AddRecordNeedsLock(ReadOnlySpan<byte> bytes, long shift)
    {
        var record = new StateRecord(bytes);
        if (!context.Catalog.TryFind(record.StateId, out var ordinal))
            return "a record belongs to an unknown state";
        var key = new StateKey(record.StateId, hash.Hash(record.Key), record.Key.ToArray());
        if (hash.PartitionOf(key.Hash) != _partition)
            return "a record belongs to another partition";
        using var moved = RecordBuffer.CopyOf(bytes, ToOwnClock(record.ExpiryTicks, shift));
        if (!Content.TryAddImported(key, ordinal, moved.Bytes))
            return "the pile is full";
        _received++;
        return null;
    }

    // A record keeps the time to live that it had at the sender. The time on the wire lengthens its life and never
    // shortens it.
    private static long ToOwnClock(long expiryTicks, long shift) => expiryTicks == 0
        ? 0
        : Math.Clamp(Math.Min(expiryTicks, DateTime.MaxValue.Ticks) + shift, 1, DateTime.MaxValue.Ticks);

    private string? CloseNeedsLock(HandoffTotals? totals)
    {
        if (totals is null)
            return null;
        if (totals.RecordCount != _received)
            return $"{_received} records arrived, {totals.RecordCount} were sent";
        Content.RaiseVersion(totals.LastVersion);
        Content.RaiseTime(totals.TimeTicks);
        IsComplete = true;
        return null;
    }
}
