namespace Cluster.Pile.Persistence;

/// <summary>The snapshots in one folder: which there are, and which may go. Stateless beside the folder; one save at a
/// time works in it.</summary>
internal sealed class SnapshotFolder(IPileFiles files, string path, FolderRule rule)
{
    /// <summary>Complete snapshots that are kept.</summary>
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

    /// <summary>Makes the folder when it is not there, and sees to it that no other user can change what is in it.
    /// Throws when one can.</summary>
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

    /// <summary>Keeps other saves out of the folder until disposed, so that no pile can begin between the look at whose
    /// folder it is and the manifest that says so. Throws when another save is under way.</summary>
    public IDisposable Hold()
    {
        var file = System.IO.Path.Join(path, SnapshotFormat.LockName);
        return files.TryHold(file) ?? throw SnapshotFailure.OtherSave(file);
    }

    /// <summary>Throws when another user can put files into the folder, or take some out.</summary>
    public void CheckFolder() => CheckFile(path);

    /// <summary>Throws when another user can change a file of the folder.</summary>
    public void CheckFile(string file)
    {
        if (rule.FindProblem(path, file, files.FindRisk) is { } problem)
            throw SnapshotFailure.Shared(file, problem);
    }

    public string PathOf(long generation, string ending) =>
        System.IO.Path.Join(path, SnapshotFormat.NameOf(generation, ending));

    /// <summary>The generations of the pile with this identity, newest first; those whose manifest cannot be read are
    /// nobody's. Throws when one is of another pile.</summary>
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

    /// <summary>Deletes what the pile has written that is older than its snapshots that are kept, and what saves have
    /// left that failed. Manifests that are nobody's stay, with their blocks. Failures are of no consequence: the next
    /// save tries again.</summary>
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
