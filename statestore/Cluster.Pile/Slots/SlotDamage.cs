using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Slots;

/// <summary>Decides when and how inconsistent objects are reported. In a pile whose memory lies in files they mean that
/// the files are damaged; in any other pile they mean a bug. Immutable.</summary>
/// <param name="blocksFile">The file of the blocks; null when the memory belongs to the process.</param>
internal sealed class SlotDamage(string? blocksFile)
{
    /// <summary>How often a thread finds an object locked before it checks for a lock without an owner. A lock is held
    /// during one copy; this many looks take longer than a copy of 256 KiB.</summary>
    public const int LooksMax = 100_000;

    /// <summary>Inside an operation a thread cannot check, so it looks this many times as often.</summary>
    public const int LooksInsideFactor = 10;

    public Exception Of(long granule, string problem)
    {
        if (blocksFile is null)
            return new InvalidOperationException($"Bug in the pile: an invariant does not hold. {problem}");
        return CheckedFile.DamagedBlock(blocksFile, SlabTable.BlockOf(granule), problem);
    }

    /// <summary>Throws when an object is locked although no operation runs. Other threads wait meanwhile. Not to be
    /// called inside an operation. Does nothing in a pile without files.</summary>
    public void ThrowIfAbandoned(SlotSpace space, ThreadCacheRegistry registry, PilePointer pointer)
    {
        if (blocksFile is null)
            return;
        var isAbandoned = false;
        registry.RunAlone(_ => isAbandoned = IsLocked(space, pointer));
        if (isAbandoned)
            throw Abandoned(pointer);
    }

    /// <summary>The exception for a lock without an owner.</summary>
    public Exception Abandoned(PilePointer pointer) =>
        Of(pointer.Granule, $"the object at granule {pointer.Granule:x} is locked, and nobody works on it.");

    private static bool IsLocked(SlotSpace space, PilePointer pointer) =>
        space.TryResolve(pointer, out var place) && space.Header(place) is { State: SlotState.Busy } header
            && header.Matches(pointer);
}
