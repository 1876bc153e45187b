namespace Cluster.Benchmarks.Pile;

/// <summary>A folder for one row, in memory where the system has a place for that; gone with its disposal.</summary>
internal sealed class MemoryFolder : IDisposable
{
    private const string Root = "/dev/shm";

    public MemoryFolder(string name)
    {
        var root = Directory.Exists(Root) ? Root : System.IO.Path.GetTempPath();
        Path = System.IO.Path.Join(root, $"{name}-{Environment.ProcessId}");
        Directory.CreateDirectory(Path);
    }

    public string Path { get; }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
