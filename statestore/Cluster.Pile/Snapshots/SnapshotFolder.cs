using Cluster.Pile.Files;

namespace Cluster.Pile.Snapshots;

/// <summary>The snapshots in one folder: finds them, checks the rights on them, and deletes old ones. Holds no state
/// but the path; one save at a time works in the folder.</summary>
internal sealed class SnapshotFolder(IPileFiles files, string path, FolderRule rule)
{
    /// <summary>How many complete snapshots are kept.</summary>
    public const int GenerationsKept = 2;

    public string Path => path;

    public IPileFiles Files => files;

    /// <summary>The generations with a manifest, newest first.</summary>
    public List<long> Generations()
    {
        var generations = new List<long>();
        foreach (var name in files.List(path))
        {
            if (SnapshotFormat.TryParse(name, SnapshotFormat.ManifestEnding, out var generation))
                generations.Add(generation);
        }

        return [.. generations.OrderDescending()];
    }

    /// <summary>Creates the folder when it does not exist, and makes sure that no other user can change its files.
    /// Throws when another user can.</summary>
    public void Prepare()
    {
        files.CreateFolder(path);
        CheckFolder();
        foreach (var name in files.List(path).Where(IsOurs))
        {
            var file = System.IO.Path.Join(path, name);
            CheckFile(file);
            files.Protect(file);
        }
    }

    /// <summary>Locks the folder against other saves until the result is disposed. So no other pile starts to save
    /// between the check of the folder's owner and the manifest that names the owner. Throws when another save is under
    /// way.</summary>
    public IDisposable Hold()
    {
        var file = System.IO.Path.Join(path, SnapshotFormat.LockName);
        return files.TryHold(file) ?? throw SnapshotFailure.OtherSave(file);
    }

    /// <summary>Throws when another user can put files into the folder or remove some.</summary>
    public void CheckFolder() => CheckFile(path);

    /// <summary>Throws when another user can change a file of the folder.</summary>
    public void CheckFile(string file)
    {
        if (rule.FindProblem(path, file, files.FindRisk) is { } problem)
            throw SnapshotFailure.Shared(file, problem);
    }

    public string PathOf(long generation, string ending) =>
        System.IO.Path.Join(path, SnapshotFormat.NameOf(generation, ending));

    /// <summary>The generations of the pile with this identity, newest first. Generations with an unreadable manifest
    /// count for no pile. Throws when a generation belongs to another pile.</summary>
    public List<long> GenerationsOf(ulong pile)
    {
        var own = new List<long>();
        foreach (var generation in Generations())
        {
            if (TryReadOwner(generation) is not { } owner)
                continue;
            if (owner != pile)
                throw SnapshotFailure.OtherPile(PathOf(generation, SnapshotFormat.ManifestEnding), owner, pile);
            own.Add(generation);
        }

        return own;
    }

    /// <summary>Deletes the pile's files that are older than its kept snapshots, and the remains of failed saves.
    /// Unreadable manifests stay, with their blocks. A failure does no harm: the next save tries again.</summary>
    public void Tidy(List<long> own)
    {
        var kept = Generations().Except(own.Skip(GenerationsKept)).ToHashSet();
        foreach (var name in files.List(path))
        {
            if (SnapshotFormat.TryParse(name, out var generation) && !kept.Contains(generation))
                files.Delete(System.IO.Path.Join(path, name));
        }
    }

    private static bool IsOurs(string name) =>
        name == SnapshotFormat.LockName || SnapshotFormat.TryParse(name, out _);

    private ulong? TryReadOwner(long generation)
    {
        try
        {
            return SnapshotReader.Open(this, generation).Manifest.PileIdentity;
        }
        catch (PileSnapshotException e) when (e.Problem is not PileSnapshotProblem.Device)
        {
            return null;
        }
    }
}
