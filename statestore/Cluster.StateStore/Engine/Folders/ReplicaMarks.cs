using Cluster.Slim.Hosting;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Engine.Folders;

/// <summary>The marks of partitions in memory that outlives the process. Each partition has two slots of three words:
/// entry, loss count, check. A mark is written into the slot that does not have the newest one, and the check goes
/// first and comes back last, so a mark that was not finished is none, and the one before counts. See
/// <c>docs/formats/node-folder.md</c>. Used under the shard's lock.</summary>
internal sealed class ReplicaMarks : IReplicaMarks
{
    /// <summary>The words of a partition.</summary>
    public const int PartitionWords = SlotCount * SlotWords;

    private const int SlotCount = 2;
    private const int SlotWords = 3;
    private const int LossCountAt = 1;
    private const int CheckAt = 2;
    private const int HashedBytes = 3 * sizeof(ulong);

    private readonly IMarkMemory _memory;
    private readonly int _first;
    private readonly ulong _seed;
    private readonly byte[] _next;

    /// <summary>Makes marks of what is in the memory.</summary>
    /// <param name="memory">The memory.</param>
    /// <param name="first">The number of the first word.</param>
    /// <param name="partitionCount">The partitions.</param>
    /// <param name="seed">Goes into the checks: marks of another pile are none.</param>
    public ReplicaMarks(IMarkMemory memory, int first, int partitionCount, ulong seed)
    {
        (_memory, _first, _seed) = (memory, first, seed);
        _next = new byte[partitionCount];
        for (var partition = 0; partition < partitionCount; partition++)
        {
            var (left, right) = (Read(partition, slot: 0), Read(partition, slot: 1));
            _next[partition] = (byte)(left is not null && !IsNewer(right, left) ? 1 : 0);
        }
    }

    /// <inheritdoc />
    public BaseMark? Find(PartitionId partition) => Read(partition.Value, 1 - _next[partition.Value]);

    /// <inheritdoc />
    public void Set(PartitionId partition, BaseMark mark)
    {
        var slot = _next[partition.Value];
        var word = WordOf(partition.Value, slot);
        _memory[word + CheckAt] = 0;
        _memory[word] = mark.Entry.Value;
        _memory[word + LossCountAt] = (ulong)mark.LossCount;
        _memory[word + CheckAt] = CheckOf(partition.Value, mark.Entry.Value, (ulong)mark.LossCount);
        _next[partition.Value] = (byte)(1 - slot);
    }

    /// <inheritdoc />
    public void Clear(PartitionId partition)
    {
        for (var slot = 0; slot < SlotCount; slot++)
            _memory[WordOf(partition.Value, slot) + CheckAt] = 0;
    }

    private static bool IsNewer(BaseMark? mark, BaseMark? other) =>
        mark is { } one
        && (other is not { } two || (one.LossCount, one.Entry).CompareTo((two.LossCount, two.Entry)) > 0);

    private BaseMark? Read(int partition, int slot)
    {
        var word = WordOf(partition, slot);
        var (entry, lossCount) = (_memory[word], _memory[word + LossCountAt]);
        return lossCount <= int.MaxValue && _memory[word + CheckAt] == CheckOf(partition, entry, lossCount)
            ? new BaseMark(new EntryId(entry), (int)lossCount)
            : null;
    }

    private int WordOf(int partition, int slot) => _first + (partition * PartitionWords) + (slot * SlotWords);

    // Zero says that there is no mark.
    private ulong CheckOf(int partition, ulong entry, ulong lossCount)
    {
        Span<byte> bytes = stackalloc byte[HashedBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, entry);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[sizeof(ulong)..], lossCount);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[(2 * sizeof(ulong))..], partition);
        return Math.Max(1, XxHash3.Hash(bytes, _seed));
    }
}
