using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Objects;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;
using Cluster.Pile.Snapshots;
using Cluster.Pile.Tables;

namespace Cluster.Pile.Rebuild;

/// <summary>The parts of one pile that persistence uses; each protects itself. Owned by the pile; immutable.</summary>
internal sealed class PileContext
{
    public required NativeWindow Window { get; init; }

    public required BlockLayout Layout { get; init; }

    public required SlabTable Table { get; init; }

    public required SlotBitmap Bitmap { get; init; }

    public required SlotSpace Space { get; init; }

    public required GenerationMask Mask { get; init; }

    public required SlabArena Arena { get; init; }

    public required SlotAllocator Allocator { get; init; }

    public required ThreadCacheRegistry Registry { get; init; }

    public required ExpirySchedule Expiry { get; init; }

    public required DeadlineBook Deadlines { get; init; }

    public required TypeTable Types { get; init; }

    public required RecordTables Records { get; init; }

    public required TimeProvider Time { get; init; }

    public required SnapshotSettings Settings { get; init; }

    public required SnapshotCounters Snapshots { get; init; }

    /// <summary>The number by which <see cref="Piled{T}"/> finds the pile.</summary>
    public required ulong Identity { get; init; }
}
