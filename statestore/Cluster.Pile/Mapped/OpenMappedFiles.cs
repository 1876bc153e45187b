using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Mapped.Intents;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Mapped;

/// <summary>The open files of an attached folder; the size of each was checked. Owned by the folder, which disposes
/// it.</summary>
internal sealed class OpenMappedFiles : IDisposable
{
    /// <summary>Reads header and types, brings the tables to the budget, and opens the other files.</summary>
    public OpenMappedFiles(MappedFiles files, long budgetBytes)
    {
        try
        {
            var layout = new BlockLayout(budgetBytes);
            var header = MappedHeader.Decode(File.ReadAllBytes(files.Header), files.Header);
            Types = new TypeLog(files.Types);
            Catalog = OpenCatalog(files.Catalog);
            Header = BudgetMove.Run(files, header, budgetBytes);
            Tables = Open(files.Tables(Header.TablesNumber), MappedSource.TablesBytes(layout));
            Blocks = Open(files.Blocks, MappedSource.BlocksBytes(layout));
            Intents = Open(files.Intents, UpdateIntents.FileBytes);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public MappedHeader Header { get; } = null!;

    public TypeLog Types { get; } = null!;

    public CatalogFile Catalog { get; } = null!;

    public SafeFileHandle Tables { get; } = null!;

    public SafeFileHandle Blocks { get; } = null!;

    public SafeFileHandle Intents { get; } = null!;

    public void Dispose()
    {
        Types?.Dispose();
        Tables?.Dispose();
        Blocks?.Dispose();
        Intents?.Dispose();
    }

    private static CatalogFile OpenCatalog(string path) =>
        File.Exists(path) ? new CatalogFile(path) : throw CheckedFile.Damaged(path, "it is not there.");

    private static SafeFileHandle Open(string path, long bytes)
    {
        if (!File.Exists(path))
            throw CheckedFile.Damaged(path, "it is not there.");
        var file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        var found = RandomAccess.GetLength(file);
        if (found == bytes)
            return file;
        file.Dispose();
        throw CheckedFile.Damaged(path, $"it must have {bytes:N0} bytes and has {found:N0}.");
    }
}
