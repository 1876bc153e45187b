namespace Cluster.Pile;

/// <summary>The folder of <see cref="PileOptions.MappedFolder"/> cannot be attached: another pile uses it, its files
/// are damaged or of another version, the machine failed while the folder was in use, or the budget does not hold its
/// content. The message names the reason, the place, and the remedy; no acknowledged data was changed. Also thrown when
/// the disk fails while a type is stored or the pile is disposed, and when an operation finds a damaged object in the
/// folder. Immutable.</summary>
public sealed class PileFolderException : PileException
{
    internal PileFolderException(string path, string problem, Exception? inner = null)
        : base($"{path}: {problem}", inner) =>
        Path = path;

    /// <summary>The folder, or the file in it that the exception is about.</summary>
    public string Path { get; }
}

/// <summary>The part of a mapped folder that is compared with checksums when a pile attaches to it.</summary>
public enum PileFolderCheck
{
    /// <summary>Tables and the content of blocks. <see cref="LocalPile.Dispose"/> computes a checksum of each block
    /// that has changed, and the attach compares all of them, so it refuses damage within objects and records and names
    /// the block. After the death of a process, this holds only for blocks that the process had not changed since it
    /// attached.</summary>
    Everything,

    /// <summary>Tables alone. Start and disposal take a time that grows with the size of the tables, a hundredth of the
    /// memory. Damage within objects and records is not noticed.</summary>
    Tables,
}
