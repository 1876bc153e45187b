using Cluster.Pile.Persistence;

namespace Cluster.Pile.Mapped;

/// <summary>What the files of a mapped folder are called, and how they are written. Immutable.</summary>
internal sealed class MappedFiles(string folder)
{
    private const string TablesPrefix = "tables-";
    private const string NewEnding = ".new";

    public string Folder { get; } = Path.GetFullPath(folder);

    /// <summary>Locked as long as a pile is attached.</summary>
    public string Lock => Path.Join(Folder, "lock");

    /// <summary>The process that has the lock, for the message of another one.</summary>
    public string Owner => Path.Join(Folder, "owner");

    /// <summary>There while the folder is made; what is in it then is worth nothing.</summary>
    public string Making => Path.Join(Folder, "making");

    /// <summary>There when a device could not keep what was written, and nobody knows what it has.</summary>
    public string Lost => Path.Join(Folder, "lost");

    public string Header => Path.Join(Folder, "header");

    public string State => Path.Join(Folder, "state");

    public string Blocks => Path.Join(Folder, "blocks");

    public string Intents => Path.Join(Folder, "intents");

    public string Types => Path.Join(Folder, "types");

    /// <summary>What the tables of records are.</summary>
    public string Catalog => Path.Join(Folder, "catalog");

    /// <summary>The tables; their number rises when they are made anew for another budget.</summary>
    public string Tables(uint number) => Path.Join(Folder, $"{TablesPrefix}{number}");

    /// <summary>Makes the folder when it is not there, and sees to it that no other user can change it or lock its
    /// files. Throws when one can.</summary>
    public void Prepare(FolderRule rule)
    {
        PrivateFiles.CreateFolder(Folder);
        Check(rule, Folder);
        foreach (var path in Directory.EnumerateFiles(Folder).Where(IsOfFolder))
        {
            Check(rule, path);
            PrivateFiles.Protect(path);
        }
    }

    /// <summary>Replaces a small file in one step, so that it is the whole old or the whole new one.</summary>
    public static void Replace(string path, ReadOnlySpan<byte> content)
    {
        var written = path + NewEnding;
        using (var file = PrivateFiles.CreateNew(written))
        {
            file.Write(content);
            file.Flush(flushToDisk: true);
        }

        File.Move(written, path, overwrite: true);
    }

    /// <summary>Deletes the tables of other numbers, which a change of the budget left behind.</summary>
    public void DeleteOtherTables(uint number)
    {
        foreach (var path in Directory.EnumerateFiles(Folder, TablesPrefix + "*"))
        {
            if (path != Tables(number))
                File.Delete(path);
        }
    }

    private void Check(FolderRule rule, string path)
    {
        if (rule.FindProblem(Folder, path, PrivateFiles.FindRisk) is { } problem)
            throw new PileFolderException(path, problem);
    }

    private bool IsOfFolder(string path)
    {
        var file = path.EndsWith(NewEnding, StringComparison.Ordinal) ? path[..^NewEnding.Length] : path;
        return file == Lock || file == Owner || file == Making || file == Lost || file == Header || file == State
            || file == Blocks || file == Intents || file == Types || file == Catalog
            || Path.GetFileName(file).StartsWith(TablesPrefix, StringComparison.Ordinal);
    }
}
