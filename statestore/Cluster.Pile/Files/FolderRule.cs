namespace Cluster.Pile.Files;

/// <summary>The rule for folders with a pile's data: the folder and each of its files belong to the user of this
/// process, and no other user may write there. Owned by one pile or one restore; the lock guards the set of folders
/// that it has warned about.</summary>
internal sealed class FolderRule(bool allowsShared)
{
    /// <summary>The advice at the end of each refusal.</summary>
    public const string Remedy
        = "Whoever can write there can make any object in this process. Give it to the user of this process (chown) "
        + "and take the right to write from others (chmod go-w), or name a new folder inside it, which is made for "
        + "this user alone. Where a container volume allows neither, set "
        + $"{nameof(PileOptions)}.{nameof(PileOptions.AllowSharedFolder)}.";

    private readonly bool _allowsShared = allowsShared;
    private readonly Lock _gate = new();
    private readonly HashSet<string> _warned = [];

    /// <summary>Describes what is wrong with a path in a folder, or with the folder itself; null when nothing is wrong.
    /// Where shared folders are allowed, logs one warning for each folder instead.</summary>
    public string? FindProblem(string folder, string path, Func<string, string?> findRisk)
    {
        if (findRisk(path) is not { } risk)
            return null;
        if (!_allowsShared)
            return $"{risk}. {Remedy}";
        lock (_gate)
        {
            if (!_warned.Add(folder))
                return null;
        }

        Trace.TraceWarning(
            $"{path}: {risk}. Whoever can write there can make any object in this process. It is used because "
            + $"{nameof(PileOptions)}.{nameof(PileOptions.AllowSharedFolder)} is set.");
        return null;
    }
}
