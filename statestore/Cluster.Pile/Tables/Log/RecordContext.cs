using Cluster.Pile.Expiry;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;
using Cluster.Pile.Tables.Eviction;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables.Log;

/// <summary>The parts that all tables of one pile share: memory, threads, clock, hash, and the numbers of log segments.
/// Owned by one pile; its parts protect themselves.</summary>
internal sealed class RecordContext(
    RecordSpace space,
    SlabArena arena,
    SlotAllocator allocator,
    ThreadCacheRegistry registry,
    RecordMaintenance maintenance)
{
    public RecordSpace Space { get; } = space;

    public SlabArena Arena { get; } = arena;

    public SlotAllocator Allocator { get; } = allocator;

    public ThreadCacheRegistry Registry { get; } = registry;

    public RecordMaintenance Maintenance { get; } = maintenance;

    public DeadlineClock Clock => Maintenance.Clock;

    /// <summary>The hash of keys; replaced only while the pile has no records.</summary>
    public KeyHash Hash { get; set; } = KeyHash.CreateRandom();

    public LogSequence Sequence { get; } = new();
}
