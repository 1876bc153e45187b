namespace Cluster.Pile.Rebuild;

/// <summary>The counts and lists that a <see cref="Rebuilder"/> collects. Owned by one rebuild; not
/// thread-safe.</summary>
internal sealed class RebuildTally
{
    public long Objects { get; set; }

    public long LiveBytes { get; set; }

    public long Links { get; set; }

    public long Runs { get; set; }

    public long RunBlocks { get; set; }

    /// <summary>The number of retired slots, by the first block of their slab.</summary>
    public Dictionary<long, long> RetiredSlots { get; } = [];

    /// <summary>Blocks in which owners of bodies begin, each once.</summary>
    public List<long> BlocksWithOwners { get; } = [];

    /// <summary>Blocks in which bodies begin, each once.</summary>
    public List<long> BlocksWithBodies { get; } = [];

    public void AddRetired(long head) => RetiredSlots[head] = RetiredSlots.GetValueOrDefault(head) + 1;
}
