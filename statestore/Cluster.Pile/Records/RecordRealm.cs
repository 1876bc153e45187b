using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;
using Cluster.Pile.Threads;

namespace Cluster.Pile.Records;

/// <summary>
/// What all tables of one pile share: memory, threads, clock, hash, and the numbers of log segments. Owned by one pile;
/// its parts protect themselves.
/// </summary>
internal sealed class RecordRealm
{
    public RecordRealm(
        RecordSpace space, SlabArena arena, SlotAllocator allocator, ThreadCacheRegistry registry, RecordClock clock)
    {
        Space = space;
        Arena = arena;
        Allocator = allocator;
        Registry = registry;
        Clock = clock;
        Upkeep = new RecordUpkeep(clock);
    }

    public RecordSpace Space { get; }

    public SlabArena Arena { get; }

    public SlotAllocator Allocator { get; }

    public ThreadCacheRegistry Registry { get; }

    public RecordClock Clock { get; }

    public RecordUpkeep Upkeep { get; }

    /// <summary>The hash of keys; set anew only before there are records.</summary>
    public KeyHash Hash { get; set; } = KeyHash.CreateRandom();

    public LogSequence Sequence { get; } = new();
}
