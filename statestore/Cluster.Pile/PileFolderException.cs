namespace Cluster.Pile;

/// <summary>The folder of <see cref="PileOptions.MappedFolder"/> cannot be attached: another pile has it, its files are
/// damaged or of another version, the machine went down while it was in use, or the budget does not hold what is in it.
/// The message says which, where, and what to do; nothing that was acknowledged was changed. Also when the disk fails
/// while a type is stored or the pile is disposed, and when an operation meets an object in the folder that is damaged.
/// Immutable.</summary>
public sealed class PileFolderException : PileException
{
    internal PileFolderException(string path, string problem, Exception? inner = null)
        : base($"{path}: {problem}", inner) =>
        Path = path;

    /// <summary>The folder, or the file in it that is meant.</summary>
    public string Path { get; }
}

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
