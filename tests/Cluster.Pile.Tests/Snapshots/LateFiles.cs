using Cluster.Pile.Files;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Files of the disk up to a moment, and others from then on.</summary>
internal sealed class LateFiles(IPileFiles later) : IPileFiles
{
    private IPileFiles _files = DiskFiles.Instance;

    public void Begin() => _files = later;

    public void CreateFolder(string folder) => _files.CreateFolder(folder);

    public string? FindRisk(string path) => _files.FindRisk(path);

    public void Protect(string path) => _files.Protect(path);

    public IReadOnlyList<string> List(string folder) => _files.List(folder);

    public IPileFile Create(string path) => _files.Create(path);

    public IPileFile OpenRead(string path) => _files.OpenRead(path);

    public void Rename(string from, string to) => _files.Rename(from, to);

    public void Delete(string path) => _files.Delete(path);

    public IDisposable? TryHold(string path) => _files.TryHold(path);

    public void FlushFolder(string folder) => _files.FlushFolder(folder);
}
