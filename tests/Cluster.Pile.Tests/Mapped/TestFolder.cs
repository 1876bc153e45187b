using Cluster.Pile.Files;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>A folder for mapped piles, in memory where the machine has such a place; gone with its disposal.</summary>
internal sealed class TestFolder : IDisposable
{
    private static readonly string Root = Directory.Exists("/dev/shm") ? "/dev/shm" : Path.GetTempPath();

    public TestFolder()
        : this(Path.Join(Root, $"cluster-pile-{Guid.NewGuid():N}"))
    {
    }

    public TestFolder(string path)
    {
        FullName = path;
        PrivateFiles.CreateFolder(path);
    }

    public string FullName { get; }

    public string Blocks => Path.Join(FullName, "blocks");

    public PileOptions Options(long budgetBytes = 32 * Piles.MiB, TimeProvider? time = null) => new()
    {
        BudgetBytes = budgetBytes,
        MappedFolder = FullName,
        TimeProvider = time ?? TimeProvider.System,
    };

    public LocalPile Attach(long budgetBytes = 32 * Piles.MiB, TimeProvider? time = null) =>
        new(Options(budgetBytes, time));

    /// <summary>What would be left of the folder if the process died now: a copy, which the system makes of the files
    /// while the pile has them mapped.</summary>
    public TestFolder CopyAsIfKilled() => CopyAsIfKilled(new TestFolder());

    /// <summary>The same, into a folder that is there.</summary>
    public TestFolder CopyAsIfKilled(TestFolder copy)
    {
        foreach (var file in Directory.EnumerateFiles(FullName))
        {
            var name = Path.GetFileName(file);
            if (name is "lock" or "owner")
                continue;
            using var from = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            using var to = PrivateFiles.CreateNew(Path.Join(copy.FullName, name));
            CopySparse(from, to);
        }

        return copy;
    }

    public void Dispose()
    {
        if (Directory.Exists(FullName))
            Directory.Delete(FullName, recursive: true);
    }

    private static void CopySparse(FileStream from, FileStream to)
    {
        var part = new byte[64 * 1024];
        to.SetLength(from.Length);
        for (int count; (count = from.Read(part)) > 0;)
        {
            if (part.AsSpan(0, count).ContainsAnyExcept((byte)0))
            {
                to.Position = from.Position - count;
                to.Write(part, 0, count);
            }
        }
    }
}
