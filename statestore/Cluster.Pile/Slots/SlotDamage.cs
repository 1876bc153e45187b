using Cluster.Pile.Mapped;
using Cluster.Pile.Slabs;
using Cluster.Pile.Threads;

namespace Cluster.Pile.Slots;

/// <summary>What is said, and when, about objects that do not fit together. In a pile whose memory lies in files that
/// is damage of the files; in any other pile it is a bug. Immutable.</summary>
/// <param name="blocksFile">The file of the blocks; null when the memory is that of the process.</param>
internal sealed class SlotDamage(string? blocksFile)
{
    /// <summary>How often an object is found locked before somebody asks whether anybody works on it. A lock lasts for
    /// a copy; so many looks take longer than that of 256 KiB.</summary>
    public const int LooksMax = 100_000;

    /// <summary>In the middle of an operation nobody can ask, so there it takes this many times as many.</summary>
    public const int LooksInsideFactor = 10;

    /// <summary>The exception for an object, by its granule.</summary>
    public Exception Of(long granule, string problem)
    {
        if (blocksFile is null)
            return new InvalidOperationException($"Bug in the pile: an invariant does not hold. {problem}");
        return CheckedFile.DamagedBlock(blocksFile, SlabTable.BlockOf(granule), problem);
    }

    /// <summary>Throws when an object is locked although no operation runs. Other threads wait meanwhile. Not to be
    /// called inside an operation; in a pile of the process alone it does nothing.</summary>
    public void ThrowIfAbandoned(SlotSpace space, ThreadCacheRegistry registry, PilePointer pointer)
    {
        if (blocksFile is null)
            return;
        var isAbandoned = false;
        registry.RunAlone(_ => isAbandoned = IsLocked(space, pointer));
        if (isAbandoned)
            throw Abandoned(pointer);
    }

    /// <summary>What is thrown for a lock of nobody.</summary>
    public Exception Abandoned(PilePointer pointer) =>
        Of(pointer.Granule, $"the object at granule {pointer.Granule:x} is locked, and nobody works on it.");

    private static bool IsLocked(SlotSpace space, PilePointer pointer) =>
        space.TryResolve(pointer, out var place) && space.Header(place) is { State: SlotState.Busy } header
            && header.Matches(pointer);
}
