using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;
using Cluster.Pile.Threads;

namespace Cluster.Pile.Records;

/// <summary>
/// What all tables of one pile share: memory, threads, clock, hash, and the numbers of log segments. Owned by one pile;
/// immutable beside what its parts protect themselves.
/// </summary>
internal sealed class RecordRealm
{
    public RecordRealm(
        RecordSpace space, SlabArena arena, SlotAllocator allocator, ThreadCacheRegistry registry, TimeProvider time)
    {
        Space = space;
        Arena = arena;
        Allocator = allocator;
        Registry = registry;
        Clock = new RecordClock(time);
    }

    public RecordSpace Space { get; }

    public SlabArena Arena { get; }

    public SlotAllocator Allocator { get; }

    public ThreadCacheRegistry Registry { get; }

    public RecordClock Clock { get; }

    public KeyHash Hash { get; } = KeyHash.CreateRandom();

    public LogSequence Sequence { get; } = new();
}
