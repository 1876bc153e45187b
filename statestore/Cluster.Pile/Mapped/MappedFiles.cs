using Cluster.Pile.Files;

namespace Cluster.Pile.Mapped;

/// <summary>The names of the files of a mapped folder, and the way they are written. Immutable.</summary>
internal sealed class MappedFiles(string folder)
{
    private const string TablesPrefix = "tables-";

    public string Folder { get; } = Path.GetFullPath(folder);

    /// <summary>The file that is locked while a pile is attached.</summary>
    public string Lock => Path.Join(Folder, "lock");

    /// <summary>The file that names the process with the lock, for error messages of other processes.</summary>
    public string Owner => Path.Join(Folder, "owner");

    /// <summary>The marker that exists while the folder is being created; without a header, the folder is worthless
    /// then.</summary>
    public string Making => Path.Join(Folder, "making");

    /// <summary>The marker that a device failed to keep written data; the content of the device is unknown
    /// then.</summary>
    public string Lost => Path.Join(Folder, "lost");

    public string Header => Path.Join(Folder, "header");

    public string State => Path.Join(Folder, "state");

    public string Blocks => Path.Join(Folder, "blocks");

    public string Intents => Path.Join(Folder, "intents");

    public string Types => Path.Join(Folder, "types");

    /// <summary>The file that describes the tables of records.</summary>
    public string Catalog => Path.Join(Folder, "catalog");

    /// <summary>The file of the block tables; its number rises when the tables are made again for another
    /// budget.</summary>
    public string Tables(uint number) => Path.Join(Folder, $"{TablesPrefix}{number}");

    /// <summary>Creates the folder when it does not exist, and makes sure that no other user can change it or lock its
    /// files. Throws when another user can.</summary>
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

    /// <summary>Deletes the files of tables with other numbers, which a change of the budget left.</summary>
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
        const string ending = CheckedFile.NewEnding;
        var file = path.EndsWith(ending, StringComparison.Ordinal) ? path[..^ending.Length] : path;
        return file == Lock || file == Owner || file == Making || file == Lost || file == Header || file == State
            || file == Blocks || file == Intents || file == Types || file == Catalog
            || Path.GetFileName(file).StartsWith(TablesPrefix, StringComparison.Ordinal);
    }
}
