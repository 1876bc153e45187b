namespace Cluster.Pile;

/// <summary>What of a mapped folder is compared with checksums when a pile attaches to it.</summary>
public enum PileFolderCheck
{
    /// <summary>Tables and the content of blocks. <see cref="LocalPile.Dispose"/> takes a checksum of each block that
    /// has changed, and the attach compares all of them, so damage within objects and records is refused with its
    /// block. After the death of a process that holds for blocks that it had not changed since it attached.</summary>
    Everything,

    /// <summary>Tables alone: start and disposal take a time that grows with their size, a hundredth of the memory.
    /// Damage within objects and records stays unnoticed.</summary>
    Tables,
}
