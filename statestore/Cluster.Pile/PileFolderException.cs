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
